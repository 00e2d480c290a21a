// waves: 3 classes from 21 inputs; 40 units in 20 steps, activation relu, loss softmax.
// Written by accrete 0.1.0; change the model, not this file.
//
//   float x[waves_INPUTS], p[waves_OUTPUTS];
//   x[waves_at_x1] = 1.5f;  // and so on for every input; NAN where it is missing
//   int error = waves_predict(x, 0, p);  // the probability of each class; waves_OK, or what was wrong
//   error = waves_predict(x, 20, p);  // the dial: these first units alone, in less time
//
// C99 or C++; needs math.h, allocates nothing, computes in float. 3164 bytes of constants, and about 96 of stack.
// A source file that calls waves_predict has its own copy of the constants.
#ifndef accrete_waves_h
#define accrete_waves_h

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  waves_INPUTS = 21, waves_OUTPUTS = 3, waves_UNITS = 40, waves_MOST_UNITS_ = 40, waves_STEPS_ = 20, waves_FEATURES_ = 21, waves_SCORES_ = 3,
};

enum {
  waves_OK = 0,
  waves_ERROR_NULL = -3,            // a pointer is NULL
  waves_ERROR_INFINITE = -4,        // x has an infinity
  waves_ERROR_NEGATIVE_UNITS = -5,  // units below 0
  waves_ERROR_TOO_MANY_UNITS = -6,  // units beyond the network
  waves_ERROR_TOO_FEW_UNITS = -7,   // units below the first step's
};

// Places in x.
enum {
  waves_at_x1 = 0, waves_at_x2 = 1, waves_at_x3 = 2, waves_at_x4 = 3, waves_at_x5 = 4, waves_at_x6 = 5, waves_at_x7 = 6, waves_at_x8 = 7, waves_at_x9 = 8,
  waves_at_x10 = 9, waves_at_x11 = 10, waves_at_x12 = 11, waves_at_x13 = 12, waves_at_x14 = 13, waves_at_x15 = 14, waves_at_x16 = 15, waves_at_x17 = 16,
  waves_at_x18 = 17, waves_at_x19 = 18, waves_at_x20 = 19, waves_at_x21 = 20,
};

// Of each input: the mean's leading digits and the rest of it, and the scale; 0, 0 and 0 for a text.
static const float waves_standard_[63] = {
  -0.02479835f, -8.3540797e-10f, 1.0173627f, 0.3408932f, -5.249714e-09f, 1.0528969f, 0.66374207f, 7.64851e-09f,
  1.2183833f, 1.0199549f, 1.5267927e-08f, 1.4183205f, 1.3546138f, -3.714012e-08f, 1.6365247f, 2.037913f, -8.741038e-08f,
  1.8245968f, 2.67652f, 4.941152e-08f, 2.0170445f, 2.6584988f, 4.3753325e-08f, 1.7682263f, 2.6590044f, -8.608771e-08f,
  1.6772566f, 2.971401f, 3.118368e-08f, 1.5117248f, 3.312475f, 2.6143436e-08f, 1.6598655f, 2.9830782f, 1.6714377e-08f,
  1.5212231f, 2.6412492f, -5.1276547e-08f, 1.6476201f, 2.6604352f, -1.986511e-09f, 1.763888f, 2.661499f, 3.221775e-08f,
  2.0437608f, 1.9936023f, 1.5525986e-08f, 1.8254352f, 1.3604255f, 3.1111355e-08f, 1.6980827f, 1.0130601f,
  -5.284053e-08f, 1.4151582f, 0.64715505f, 9.642798e-09f, 1.2107095f, 0.3285656f, -6.600993e-09f, 1.0480437f,
  0.010859341f, 2.7761562e-10f, 1.0134107f,
};
// Of each step: units, how many features they look at, and which.
static const uint8_t waves_step_units_[20] = {
  2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
};
static const uint8_t waves_step_width_[20] = {
  11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11,
};
static const uint8_t waves_listed_[220] = {
  0, 1, 2, 5, 6, 8, 9, 16, 17, 18, 20, 0, 3, 5, 6, 8, 10, 11, 13, 17, 18, 20, 0, 1, 3, 4, 5, 7, 10, 12, 14, 19, 20, 0,
  1, 2, 3, 6, 7, 9, 14, 16, 18, 20, 0, 1, 6, 8, 9, 11, 12, 14, 15, 17, 18, 0, 1, 2, 4, 6, 8, 10, 15, 17, 19, 20, 0, 1,
  2, 10, 11, 13, 14, 15, 17, 19, 20, 0, 2, 3, 6, 7, 8, 11, 12, 14, 16, 20, 0, 1, 5, 6, 7, 8, 10, 11, 17, 19, 20, 0, 3,
  4, 6, 7, 9, 10, 11, 12, 17, 20, 3, 6, 7, 9, 10, 11, 12, 14, 15, 16, 19, 0, 3, 6, 9, 11, 12, 13, 15, 16, 17, 18, 4, 5,
  6, 7, 9, 12, 13, 14, 15, 17, 19, 0, 1, 2, 5, 9, 10, 12, 16, 17, 19, 20, 0, 4, 5, 6, 7, 11, 12, 14, 16, 19, 20, 0, 2,
  3, 5, 9, 10, 11, 12, 13, 17, 20, 0, 1, 2, 3, 8, 9, 12, 13, 17, 18, 20, 0, 2, 5, 6, 8, 9, 13, 14, 16, 18, 19, 0, 1, 2,
  5, 7, 8, 9, 13, 15, 18, 20, 1, 2, 5, 7, 9, 10, 12, 16, 17, 18, 19,
};
// Unit by unit: bias, a weight for each feature, a weight for each score.
static const float waves_weights_[600] = {
  3.4128854f, 0.021293454f, -0.31620738f, -0.59356743f, -1.8969193f, -1.420449f, 1.4280468f, 2.0710247f, -1.5371917f,
  -0.8811329f, -0.32692587f, -0.15607177f, 0.027940925f, 0.150093f, -0.18102744f, 2.6998158f, 0.003332218f, 0.25787988f,
  0.40472755f, 1.1907738f, 1.3488383f, 0.1922506f, -0.27553996f, -0.11011059f, -0.1692053f, -0.08322445f, 0.06050164f,
  -0.27012014f, 0.3459632f, 0.081714556f, 3.753353f, 0.021808581f, 0.022907346f, 0.25871387f, 0.65497077f, 0.8019919f,
  1.1271313f, 0.49075127f, -0.6489369f, -0.50780886f, -0.24430269f, -0.015874797f, -0.19473492f, 0.1329618f,
  -0.20076908f, 2.900095f, 0.03637743f, -0.47114384f, -0.43601593f, -0.34150478f, 0.21903367f, 0.96030986f, 0.7128823f,
  0.4357278f, -0.095108695f, -0.0458657f, -0.047854032f, 0.16664428f, -0.18430454f, -0.36932024f, 1.8436966f,
  -0.028745705f, 0.021287328f, -0.13474722f, -0.17415205f, -0.028322995f, 0.72509766f, 0.95328844f, 0.25049505f,
  -1.0761619f, -0.13373846f, -0.030960107f, -0.26072618f, 0.10596034f, -0.24748813f, 1.7887348f, 0.027333995f,
  -0.14270627f, -0.65390795f, -1.2940936f, -0.39243397f, -0.1569997f, 1.5605562f, 1.2165898f, 0.08352892f,
  -0.106877334f, -0.102075204f, 0.25825334f, 0.03185684f, 0.023582218f, 2.9661002f, -0.051150475f, 0.081601836f,
  0.13317262f, 0.04523132f, 0.6789481f, 1.3822453f, 1.3117317f, -2.274421f, -1.3246262f, -0.3254256f, -0.059491776f,
  0.0014868708f, 0.168543f, 0.09535304f, 2.037824f, 0.1613656f, -0.39308745f, -0.74099475f, -1.5367509f, -1.1225212f,
  -0.069992006f, 2.2389193f, -0.41387856f, -1.6321319f, -0.35120142f, -0.12181346f, 0.1922092f, 0.13847254f,
  0.039160468f, 2.3587706f, -0.04592754f, -0.015392644f, 0.1514398f, 0.9135277f, 1.313504f, 2.2018008f, 1.97514f,
  -0.079120845f, -0.7920141f, -0.46226814f, -0.28325972f, 0.21649937f, 0.23863237f, 0.052551612f, 1.402705f,
  0.068466485f, 0.3153801f, 0.61544776f, 0.10151175f, -0.09272354f, -0.75577694f, -1.052143f, -1.2141324f, -1.8120964f,
  -0.077151306f, -0.20564911f, -0.07023681f, 0.17890501f, 0.114191055f, 2.1672652f, 0.012895749f, 0.0761108f,
  0.20993915f, 0.67561877f, 0.3945961f, 0.28703675f, -0.046380334f, -0.8184261f, -0.15903533f, -0.1266504f,
  0.023698693f, -0.31261018f, -0.014006527f, -0.14865936f, 1.2605498f, -0.00050133286f, 0.018109338f, 0.24131991f,
  0.54776317f, 0.16376431f, -0.1327725f, -0.6954125f, 0.30800244f, 0.12331132f, 0.04724093f, 0.020330794f, -0.10650199f,
  -0.059900563f, 0.18412635f, 1.1343439f, -0.03928083f, -0.13931264f, -0.3831214f, 0.9562146f, 1.3068262f, 0.36373904f,
  -0.18715279f, -0.8342655f, -0.4378306f, -0.08694661f, -0.0626936f, 0.09618845f, 0.12570341f, -0.11669826f,
  0.50030154f, 1.0914607f, -0.6906921f, 0.8625478f, -1.4318947f, -1.8059783f, -3.2821848f, -1.6626827f, -0.08227716f,
  -0.37981915f, -0.24371916f, -0.12722206f, -0.017270308f, 0.13430423f, 0.11845606f, 0.4974725f, 0.039915446f,
  -0.23310852f, -0.4293355f, 0.30586264f, 0.049223702f, 0.49069753f, 0.64473194f, 0.9383043f, -0.2717326f, -0.59375507f,
  -0.144687f, 0.17429797f, 0.20011178f, -0.13468325f, 0.2636732f, -0.18128732f, -0.20938319f, 0.6047944f, -0.02297975f,
  1.1252986f, 0.6955052f, -0.6813877f, -1.6875772f, -0.28753778f, -0.35078236f, 0.1903818f, -0.1988556f, 0.2618496f,
  0.2348396f, -0.8201685f, -0.10021585f, -0.44916084f, 0.4689141f, -0.1989676f, -0.41170433f, 0.6285344f, -0.80624586f,
  -0.481776f, 0.15366517f, -0.117865145f, 0.24676742f, 0.049226042f, 0.016507948f, 0.1635434f, 0.6984684f, -0.11512464f,
  0.05538467f, -0.48154217f, -0.6358469f, -1.153949f, -0.96537244f, -0.6819071f, -0.42478713f, 0.38432252f, 0.24641757f,
  -0.21439028f, 0.28008363f, -0.16228881f, 0.28258964f, 1.8476108f, 0.18433058f, 0.20757943f, 1.0012101f, 1.0752797f,
  0.9622883f, -0.57635057f, -0.1980189f, -0.6318325f, -0.80077183f, 0.36505038f, 0.07067633f, -0.017060608f,
  0.22066155f, 0.22852822f, -1.8651388f, -0.09236686f, 0.22203957f, -0.32469425f, 0.028449012f, -0.09865187f,
  -0.5862886f, -0.16039765f, -0.56636435f, -0.57951975f, -0.38871357f, 0.26085258f, 0.24911779f, -0.20723522f,
  -0.04747444f, -0.17455882f, -0.34522298f, 0.48701f, 0.09339696f, -0.2847156f, -0.41216698f, -0.4081478f, -0.3645789f,
  -0.5002172f, 0.24989565f, 0.04287676f, -0.38232628f, -0.13698679f, 0.2345251f, 0.26576975f, 1.2044554f, 0.43444425f,
  -0.29028946f, 0.47486407f, 0.0773834f, -0.45495287f, -0.37510493f, -0.12079949f, -0.100033924f, -0.73011637f,
  -0.18668292f, 0.14894716f, -0.14017779f, 0.07021446f, 0.03723451f, 0.48966524f, -0.19142814f, -0.75869095f,
  -0.081316814f, -1.6072726f, 0.39839074f, 0.65686303f, 0.24230668f, 1.425414f, 0.30276212f, 0.5082084f, 0.4036307f,
  0.110755354f, -0.20858325f, 0.11678841f, -0.12853748f, 0.32614157f, 0.42407295f, -0.14673327f, -0.13360108f,
  -0.95206505f, -0.5745082f, -0.901333f, -0.021544259f, 0.80210364f, -0.75377136f, -0.71184325f, -0.39255813f,
  -0.15465079f, -0.12343384f, 0.19127694f, 0.7355559f, 0.534213f, 0.9148751f, 0.1972833f, -1.3647875f, -0.0984893f,
  -0.09499462f, -0.5522129f, 0.7371071f, 0.039814647f, 0.42384782f, -0.23649494f, -0.12636912f, -0.09438344f, 0.044404f,
  -0.8063102f, -0.06572971f, 0.80883324f, -0.28945372f, 0.1644091f, 0.15002368f, 1.1512436f, 0.33193392f, 0.3620615f,
  -0.38196805f, 0.21733591f, -0.04160575f, -0.19372816f, -0.10396766f, -1.0551898f, 0.07433176f, 0.4390502f,
  -0.7243823f, 0.18605664f, -0.37647578f, 0.0063642287f, 0.08950221f, 0.00034137195f, -0.37263587f, -0.43856338f,
  -0.59209955f, 0.11304842f, 0.05934067f, -0.12025491f, 0.49484742f, -0.1721548f, -0.342615f, -0.021331178f,
  -0.59274703f, 0.64379615f, 1.0042645f, 0.47240722f, -0.6226006f, -0.29412803f, -0.0034741734f, -0.035367943f,
  0.18058643f, 0.18054117f, -0.14706197f, -3.4879448f, 0.24291244f, 0.90323234f, -0.5470985f, -0.0070217927f,
  0.7937341f, 0.61052674f, 0.6327761f, -0.3311048f, -0.65367967f, -1.1008492f, -0.32902783f, 0.08111721f, 0.28502828f,
  -0.44526282f, 0.2625715f, -0.24907555f, 2.2485385f, 2.1753445f, 0.39231762f, -0.60087174f, -0.20352238f, -0.9218586f,
  -0.6087459f, 0.37005556f, 0.443702f, 0.47765824f, -0.28489667f, 0.3792165f, 0.3809682f, 0.05293161f, -0.24594302f,
  0.36846712f, -0.74716353f, -0.16838107f, 0.25899595f, 0.9168444f, 0.57351965f, -0.019988114f, -1.1258883f,
  0.16246071f, 0.324426f, 0.051125508f, 0.0645329f, -0.10059408f, -0.44915587f, 0.53870255f, 0.9450422f, 0.6753587f,
  0.7333865f, 0.3084239f, -0.55508953f, 0.70024556f, -0.3471346f, -0.8971569f, 0.05945376f, -0.40930042f, -0.37095734f,
  0.06564243f, 0.056078944f, -1.6610557f, 0.18339027f, -0.3282273f, -0.07811799f, 0.036478516f, 0.18755433f,
  -0.29196072f, -0.37588388f, -0.6716798f, -0.18582547f, -0.06273444f, 0.019863615f, 0.08685519f, -0.28834888f,
  0.0022899206f, -1.2946558f, 0.16400187f, -0.15147376f, -0.010586125f, -0.2519448f, -0.4887521f, -0.5579394f,
  -0.20520535f, -1.1129227f, 0.3945953f, 0.012716064f, 0.055565685f, -0.38627607f, 0.071415424f, -0.25147802f,
  1.0714872f, 0.011881005f, 0.27594692f, 0.070570566f, -0.3520389f, -0.43954104f, -0.8742338f, 0.16199774f, 0.7178065f,
  1.1169045f, 0.4361716f, 0.2299781f, 0.25677532f, -0.12324209f, 0.25133362f, -0.8647053f, -0.66711414f, 0.5936218f,
  0.35214692f, 0.16807815f, -0.42273024f, -0.12544525f, -0.9047429f, -0.094179206f, -0.43652713f, 1.0165354f,
  0.2902428f, -0.30382615f, 0.098142624f, 0.064266786f, -1.0772251f, 0.4045055f, -0.018964032f, 0.09221741f,
  -0.02538042f, -1.143238f, 0.6136819f, 0.08313937f, 1.0546387f, 0.3440273f, 0.5390254f, 0.3495714f, 0.27425778f,
  -0.16377571f, 0.24516715f, -1.0263492f, 0.10608506f, 0.8665744f, 0.32836726f, 0.9405439f, 0.7379926f, 0.14542085f,
  -0.8363288f, -0.008215727f, 0.28861052f, -0.2107054f, 0.29911596f, -0.34012955f, 0.24788456f, 0.25734818f,
  0.018423466f, -0.63626605f, -0.37668455f, 0.20759399f, -0.58915156f, -0.5040552f, -0.38878712f, -0.026446482f,
  0.67472184f, 0.4317204f, 0.13989654f, -0.31334317f, 0.19138199f, -0.3384832f, 0.17795762f, -0.95716995f,
  -0.023836909f, -0.0721715f, -0.33496296f, -0.5191998f, -0.015599956f, -0.15518123f, 0.051427994f, -0.3559508f,
  0.103465065f, 0.011322349f, -0.31933624f, -0.18250558f, -0.048574794f, 0.2078716f,
};
// The scores' biases after 0, 1, 2, ... steps.
static const float waves_bias_[63] = {
  0.0f, 0.0f, 0.0f, 0.62933797f, -1.5146363f, 0.63404614f, 0.16713493f, -2.0312593f, 1.9531745f, -0.058602333f,
  -2.3297124f, 2.4772117f, 0.053748615f, -2.7756476f, 2.6969929f, 0.11134114f, -3.1997285f, 2.8820932f, 0.54810697f,
  -3.3871436f, 2.7700527f, 0.45721313f, -3.6666934f, 2.7294888f, 0.53939575f, -3.7488208f, 2.860061f, 0.40456468f,
  -3.8345037f, 2.695042f, 0.6443468f, -3.6154773f, 2.8485503f, 0.67970693f, -3.7134137f, 2.813468f, 0.6300309f,
  -3.7180545f, 2.710433f, 0.55066055f, -3.6544652f, 2.679932f, 0.47198632f, -3.7274506f, 2.6543784f, 0.37952104f,
  -3.8396404f, 2.5422878f, 0.43658236f, -3.8520844f, 2.6020062f, 0.38451654f, -3.9165497f, 2.5416374f, 0.34780627f,
  -3.9548552f, 2.5030546f, 0.28389865f, -3.9748566f, 2.4642155f, 0.4048682f, -3.8307726f, 2.58282f,
};

// The bits of |x|: those of infinity, or more for NaN. Bits, because -ffast-math knows of neither.
static inline uint32_t waves_magnitude_(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits & 0x7fffffffu;
}

static inline float waves_standardise_(float x, const float* by) {
  const volatile float rough = x - by[0];  // volatile: -ffast-math would add the means first
  return (rough - by[1]) / by[2];
}

static inline int waves_encode_(const float* x, float* features) {
  for (int i = 0; i < waves_INPUTS; ++i) {
    const uint32_t magnitude = waves_magnitude_(x[i]);
    if (magnitude == 0x7f800000u) return waves_ERROR_INFINITE;
    features[i] = magnitude > 0x7f800000u ? 0.0f : waves_standardise_(x[i], waves_standard_ + 3 * i);
  }
  return waves_OK;
}

// Steps within so many units, or an error.
static inline int waves_steps_(int units) {
  int step = 0, sum = 0;
  if (units < 0) return waves_ERROR_NEGATIVE_UNITS;
  if (units > waves_MOST_UNITS_) return waves_ERROR_TOO_MANY_UNITS;
  if (units == 0) return waves_STEPS_;
  for (; step < waves_STEPS_; ++step) {
    sum += (int)waves_step_units_[step];
    if (sum > units) break;
  }
  return step > 0 ? step : waves_ERROR_TOO_FEW_UNITS;
}

static inline float waves_activate_(float z) {
  return z > 0.0f ? z : 0.0f;
}

// Keeps what each sum rounds off, so that thousands of units add up as they should.
static inline void waves_add_(float term, float* sum, float* lost) {
  const float mended = term - *lost, total = *sum + mended;
  *lost = (total - *sum) - mended;
  *sum = total;
}

// x: a number for each input, NAN where it is missing; for a text its level, or anything else for one that training did
// not see. units: how many to use, rounded down to a whole step; 0 takes all. out gets waves_OUTPUTS values. Returns waves_OK,
// or an error and leaves out as it was.
static inline int waves_predict(const float* x, int units, float* out) {
  float features[waves_FEATURES_ > 0 ? waves_FEATURES_ : 1], lost[waves_SCORES_];
  const float* weight = waves_weights_;
  const uint8_t* listed = waves_listed_;
  if (x == NULL || out == NULL) return waves_ERROR_NULL;
  const int steps = waves_steps_(units);
  if (steps < 0) return steps;
  const int error = waves_encode_(x, features);
  if (error != waves_OK) return error;
  for (int k = 0; k < waves_SCORES_; ++k) {
    out[k] = waves_bias_[steps * waves_SCORES_ + k];
    lost[k] = 0.0f;
  }
  for (int step = 0; step < steps; ++step) {
    for (int unit = 0; unit < (int)waves_step_units_[step]; ++unit) {
      float z = *weight++;
      for (int f = 0; f < (int)waves_step_width_[step]; ++f) z += *weight++ * features[listed[f]];
      const float activation = waves_activate_(z);
      for (int k = 0; k < waves_SCORES_; ++k) waves_add_(*weight++ * activation, &out[k], &lost[k]);
    }
    listed += waves_step_width_[step];
  }
  float highest = out[0], sum = 0.0f;
  for (int k = 1; k < waves_SCORES_; ++k) highest = out[k] > highest ? out[k] : highest;
  for (int k = 0; k < waves_SCORES_; ++k) sum += out[k] = expf(out[k] - highest);
  for (int k = 0; k < waves_SCORES_; ++k) out[k] /= sum;
  return waves_OK;
}

static inline const char* waves_input_name(int input) {
  static const char* const names[] = {
    "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18",
    "x19", "x20", "x21",
  };
  return input >= 0 && input < (int)waves_INPUTS ? names[input] : NULL;
}

static inline const char* waves_output_name(int output) {
  static const char* const names[] = {
    "0", "1", "2",
  };
  return output >= 0 && output < (int)waves_OUTPUTS ? names[output] : NULL;
}

#endif
