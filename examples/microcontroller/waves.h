// waves: 3 classes from 21 inputs; 40 units in 20 steps, activation relu, loss softmax.
// Written by accrete 0.2.0; change the model, not this file.
//
//   float x[waves_INPUTS], p[waves_OUTPUTS];
//   x[waves_at_x1] = 1.5f;  // every input; NAN if it is missing
//   int error = waves_predict(x, 0, p);  // the probability of each class; returns waves_OK or an error
//   error = waves_predict(x, 20, p);  // the dial: fewer units, less time
//
// C99 or C++; needs math.h, allocates nothing, computes in float. 3164 bytes of constants, 96 of stack for arrays.
// Every source file that calls waves_predict gets its own copy of the constants.
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
  waves_ERROR_INFINITE = -4,        // x contains an infinity
  waves_ERROR_NEGATIVE_UNITS = -5,  // units below 0
  waves_ERROR_TOO_MANY_UNITS = -6,  // units above those of the network
  waves_ERROR_TOO_FEW_UNITS = -7,   // units below those of the first step
};

// Indices into x.
enum {
  waves_at_x1 = 0, waves_at_x2 = 1, waves_at_x3 = 2, waves_at_x4 = 3, waves_at_x5 = 4, waves_at_x6 = 5, waves_at_x7 = 6, waves_at_x8 = 7, waves_at_x9 = 8,
  waves_at_x10 = 9, waves_at_x11 = 10, waves_at_x12 = 11, waves_at_x13 = 12, waves_at_x14 = 13, waves_at_x15 = 14, waves_at_x16 = 15, waves_at_x17 = 16,
  waves_at_x18 = 17, waves_at_x19 = 18, waves_at_x20 = 19, waves_at_x21 = 20,
};

// Per input: mean rounded to float, rest of the mean, scale. All 0 for a category.
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
// Per step: units, number of features they read, indices of these features.
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
// Per unit: bias, a weight per feature, a weight per score.
static const float waves_weights_[600] = {
  3.294578f, -0.003364235f, -0.31198695f, -0.56946737f, -1.8485619f, -1.3720187f, 1.4699423f, 2.0342293f, -1.5059223f,
  -0.8623155f, -0.28382656f, -0.14542712f, 0.027451824f, 0.15477307f, -0.18522279f, 2.6213307f, 0.0016017057f,
  0.25475383f, 0.40603757f, 1.1980766f, 1.3820786f, 0.17612931f, -0.2776967f, -0.09321162f, -0.1552493f, -0.10951438f,
  0.05421913f, -0.27421987f, 0.3448639f, 0.08712784f, 3.7231672f, 0.027146945f, 0.019308355f, 0.24266823f, 0.6802469f,
  0.8066585f, 1.183273f, 0.5275469f, -0.6380673f, -0.5255681f, -0.26318592f, -0.019314192f, -0.19441505f, 0.12891507f,
  -0.19737217f, 2.572028f, 0.035307713f, -0.41206896f, -0.39638934f, -0.28824273f, 0.19670402f, 0.84317666f, 0.6273615f,
  0.39237365f, -0.078208975f, -0.043537684f, -0.0426202f, 0.21024458f, -0.20244521f, -0.39526638f, 1.9732757f,
  -0.034877375f, 0.032844163f, -0.101530604f, -0.14693823f, -0.045505613f, 0.7724612f, 0.92631024f, 0.20982717f,
  -1.1985248f, -0.11851412f, -0.024119956f, -0.27253184f, 0.10128735f, -0.23020518f, 2.002983f, -0.0045160325f,
  -0.1307905f, -0.6469647f, -1.2465663f, -0.39503694f, -0.075023405f, 1.6172352f, 1.1985828f, -0.110993356f,
  -0.109561995f, -0.10769341f, 0.25793976f, 0.047016706f, 0.00810838f, 2.2074542f, -0.030093854f, 0.111112796f,
  0.36876467f, 0.5862493f, 0.94934714f, 1.7372323f, 0.83952004f, -2.4656043f, -1.0665792f, -0.297523f, -0.107772395f,
  -0.0037835229f, 0.16320191f, 0.10755248f, 2.2193854f, 0.09288632f, -0.22729872f, -0.5873473f, -1.2143152f,
  -0.78707653f, 0.017686043f, 1.6712168f, -0.3882284f, -1.4008788f, -0.2235815f, -0.007584811f, 0.18118142f, 0.1602238f,
  0.030651359f, 2.6677814f, -0.04573481f, 0.065820314f, 0.16816f, 1.1078146f, 1.3102745f, 2.3544686f, 2.0485454f,
  -0.094633155f, -0.6373042f, -0.5167368f, -0.33126315f, 0.20682593f, 0.24258758f, 0.054433472f, 1.7250456f,
  0.021705456f, 0.21268734f, 0.6612116f, 0.043202195f, -0.1786912f, -0.79167825f, -1.0755365f, -1.0735216f, -1.8705512f,
  -0.077925995f, 0.031456485f, -0.06776804f, 0.18402153f, 0.104920916f, 2.0834389f, -0.0051885503f, 0.10118102f,
  0.21561226f, 0.66386425f, 0.34948042f, 0.24560784f, -0.033081606f, -0.7928401f, -0.13999015f, -0.13838284f,
  0.053372666f, -0.32061228f, -0.015460747f, -0.14085405f, 1.3706657f, -0.011409803f, 0.038690027f, 0.19539468f,
  0.44964552f, 0.10335625f, -0.09901041f, -0.5756755f, 0.30157274f, 0.10859311f, 0.045931578f, 0.017154403f,
  -0.1297343f, -0.07724916f, 0.22476879f, 1.0111991f, 0.08957591f, -0.12559038f, -0.47436923f, 0.8787154f, 0.998364f,
  0.6495831f, -0.17692366f, -0.8168f, -0.4442716f, -0.24379386f, 0.009092444f, 0.09343079f, 0.12875475f, -0.11848482f,
  0.7487066f, 0.42561948f, 0.20434472f, 0.7751134f, -1.3990102f, -1.6739242f, -2.4400644f, -1.8824188f, 0.8406074f,
  0.5279557f, -0.24919061f, 0.33059922f, -0.045646764f, 0.14689529f, 0.13089737f, 0.57295334f, 0.12162481f, -0.1936782f,
  -0.44866124f, 0.3524058f, 0.045473356f, 0.40747768f, 0.6956489f, 0.8985627f, -0.27593166f, -0.6214802f, -0.19880809f,
  0.1680423f, 0.19051121f, -0.11904612f, -0.14221983f, -0.3367271f, -0.34616083f, 1.0587957f, 0.012885813f, 1.0847201f,
  0.9519808f, -1.1319517f, -2.0460255f, -0.4026667f, -0.5244967f, -0.11860129f, -0.27540302f, 0.2945894f, 0.27837563f,
  -0.9814851f, -0.15709883f, -0.44042292f, 0.44362938f, 0.11770057f, -0.716359f, 0.50454396f, -0.55856174f, -0.5071583f,
  0.2372411f, 0.04443035f, 0.12737992f, 0.12544914f, -0.056796584f, 0.15980904f, 0.69706124f, -0.10686917f,
  0.092540905f, -0.50686836f, -0.60058063f, -1.1201795f, -0.9401302f, -0.73705953f, -0.34506017f, 0.36788797f,
  0.2191559f, -0.15466213f, 0.28772867f, -0.17840163f, 0.28963295f, 1.704282f, 0.28443128f, 0.052783042f, 1.0611615f,
  1.1612272f, 1.104312f, -0.8535067f, -0.20169698f, -0.7249286f, -0.7642521f, 0.29457924f, 0.043211304f, -0.014465191f,
  0.21964498f, 0.22718938f, -1.7611959f, 0.008699232f, 0.10291234f, -0.19397227f, 0.16104077f, -0.05310207f,
  -0.3954989f, -0.59802586f, -0.56174207f, -0.13848272f, -0.2673748f, 0.5905187f, 0.18397735f, -0.1755605f,
  -0.014011915f, -0.17438036f, -0.30947137f, 0.4861393f, 0.07253906f, -0.28981745f, -0.38777182f, -0.35993713f,
  -0.3382087f, -0.47906682f, 0.24525578f, 0.04022614f, -0.3899083f, -0.12724334f, 0.22797967f, 0.26355377f, 1.0965381f,
  0.3635304f, -0.22678329f, 0.4770054f, 0.10098559f, -0.4736323f, -0.48134947f, -0.2254933f, -0.054311518f, -0.718772f,
  -0.09894979f, 0.19772814f, -0.16289753f, 0.076166406f, 0.053914074f, 0.9308335f, -0.08007377f, -0.6644276f,
  0.10313411f, -1.3129754f, -0.026419092f, 0.7734335f, 0.4995962f, 1.2340485f, 0.23534621f, 0.34289846f, 0.3718678f,
  0.083936684f, -0.13818416f, 0.07274079f, 0.22685294f, -0.05660335f, -0.53079516f, -0.47092697f, 0.23981257f,
  -0.20029758f, 0.2930049f, -1.4658389f, -0.8773631f, -0.776603f, 0.31342006f, -0.09487778f, -0.21748738f, -0.19206549f,
  -0.24458797f, -1.3832561f, 0.036479216f, 0.5086747f, 0.9568797f, -0.007977741f, -0.9801528f, 0.2663594f, 0.48852143f,
  -0.15340608f, -0.11174529f, -0.067855515f, 0.67192984f, -0.2895555f, -0.13504177f, -0.034838177f, 0.26985103f,
  -1.0951005f, -0.7330554f, 1.1608895f, -0.060067f, 0.73814017f, 1.1142163f, 0.64828676f, -0.55429304f, -0.5608214f,
  -0.63752794f, 0.1949588f, -0.03822782f, -0.05491581f, -0.24778168f, -0.7785573f, 0.13439073f, 0.041266486f,
  -0.9859748f, -0.23328038f, -0.49370998f, 0.079931386f, -0.0863122f, 0.12074403f, 0.20203711f, 0.08363361f,
  -0.7664246f, 0.07958559f, -0.06368366f, 0.03553479f, 0.27576634f, -0.26768327f, -0.35292506f, -0.16837682f,
  -0.7951961f, 0.6734563f, 1.2643814f, 0.5218184f, -0.61490583f, -0.48557127f, -0.23404434f, -0.1788278f, 0.19913228f,
  0.19595848f, -0.18388973f, -2.6379f, 0.41909224f, 0.94013613f, -0.44076642f, -0.16183242f, 0.4787008f, 0.56613433f,
  0.36272967f, 0.10982496f, -0.6479207f, -0.9665822f, -0.35592407f, -0.024004593f, 0.19511062f, -0.25678512f,
  0.7538752f, -0.23502311f, 1.8583413f, 1.5950801f, 0.56011635f, -0.32616922f, -0.3071439f, -0.88394964f, -0.5457249f,
  0.3293219f, 0.3123437f, 0.3040396f, -0.28467855f, 0.39854395f, 0.40084168f, -0.8582349f, -0.23626977f, 0.59493095f,
  -0.42566246f, -0.2707003f, -0.06678469f, 0.6536686f, 0.35898072f, -0.19761482f, -1.0208528f, 0.47444806f, 0.24649274f,
  0.045529805f, 0.122203015f, -0.15271099f, -0.20867904f, 0.61364084f, 1.1061674f, 0.5639171f, 0.47871014f, 0.43729362f,
  -0.5447642f, 0.18202876f, -0.42336726f, -1.2925322f, -0.001741714f, -0.69753116f, -0.33753145f, 0.04543574f,
  0.043564342f, -1.4399773f, 0.096079215f, -0.32760864f, 0.01441841f, 0.26087907f, 0.44870928f, -0.5625825f,
  -0.53429896f, -0.18534987f, -0.09766627f, -0.13609931f, 0.043511398f, 0.1282757f, -0.2564761f, -0.07944392f,
  -0.882685f, -0.18531686f, 0.21974531f, -0.03706983f, 0.026128383f, -0.4058033f, -0.7143073f, -0.25928986f,
  -0.7713804f, 0.5030444f, 0.15578154f, 0.03450441f, -0.30696836f, -0.06435991f, -0.21900705f, 0.21228683f,
  -0.14680867f, 0.5006143f, 0.54056144f, -0.0035172666f, 0.19343491f, -0.3847209f, -0.40434986f, 0.05828766f,
  0.7638147f, 0.07242771f, 0.07321136f, 0.12659197f, 0.0995016f, 0.17623535f, -0.5726476f, -0.62076044f, 0.51724374f,
  0.3925051f, 0.17181249f, -0.36703372f, -0.19171125f, -0.76341075f, -0.18449558f, -0.35737547f, 0.84028304f,
  0.14422546f, -0.30641705f, 0.10487557f, 0.053708628f, -0.6134721f, 0.3033654f, -0.051749226f, 0.19057085f,
  -0.0745735f, -1.1468474f, 0.328805f, -0.008998589f, 1.1279957f, 0.4700914f, 0.5753416f, 0.355699f, 0.27365187f,
  -0.15511192f, 0.24396366f, -0.43815503f, 0.08996971f, 0.66508716f, 0.36437222f, 0.89686805f, 0.07693474f, 0.4621534f,
  -0.57548374f, -0.06146515f, 0.20664665f, 0.095781945f, 0.27884898f, -0.21783271f, 0.19020386f, 0.19591403f, 0.306513f,
  -0.46167335f, -0.24407868f, 0.18316443f, -0.64206487f, -0.6120371f, -0.38919815f, 0.034284774f, 1.0071789f,
  0.34219936f, 0.21083392f, -0.15841722f, 0.20437232f, -0.37146348f, 0.19811897f, -0.9254051f, -0.023914525f,
  -0.07040117f, -0.3497476f, -0.4892931f, -0.011495078f, -0.11212641f, 0.08788861f, -0.33714947f, 0.07705488f,
  0.015710363f, -0.32404095f, -0.1656155f, -0.06286539f, 0.2051434f,
};
// Biases of the scores after 0, 1, 2, ... steps.
static const float waves_bias_[63] = {
  0.0f, 0.0f, 0.0f, 0.6227903f, -1.4922563f, 0.6182143f, 0.13504916f, -1.9596597f, 1.9136614f, -0.06686816f,
  -2.3106346f, 2.4664004f, 0.033315964f, -2.7371264f, 2.6789052f, 0.14671491f, -3.2680073f, 2.9149992f, 0.6316138f,
  -3.396134f, 2.6955376f, 0.54530925f, -3.6586087f, 2.6333091f, 0.613181f, -3.7135925f, 2.7510483f, 0.4735122f,
  -3.801438f, 2.59303f, 0.70784277f, -3.5768995f, 2.746478f, 0.73111206f, -3.6483772f, 2.6970277f, 0.64981115f,
  -3.7141855f, 2.6867847f, 0.60818976f, -3.714036f, 2.681975f, 0.5135161f, -3.768821f, 2.6542199f, 0.43080205f,
  -3.8889585f, 2.5403259f, 0.48730442f, -3.8900237f, 2.5892239f, 0.44156224f, -3.9532654f, 2.5213084f, 0.4266495f,
  -3.9864216f, 2.455779f, 0.3488903f, -4.0077176f, 2.4320867f, 0.4746806f, -3.8635998f, 2.5458364f,
};

// The bits of |x|: 0x7f800000 for infinity, larger for NaN. -ffast-math breaks isinf and isnan.
static inline uint32_t waves_magnitude_(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits & 0x7fffffffu;
}

static inline float waves_standardise_(float x, const float* by) {
  const volatile float rough = x - by[0];  // volatile: -ffast-math would add the two floats first
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

// Number of complete steps with at most this many units, or an error.
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

// Compensated (Kahan) summation, for networks of thousands of units.
static inline void waves_add_(float term, float* sum, float* lost) {
  const float mended = term - *lost, total = *sum + mended;
  *lost = (total - *sum) - mended;
  *sum = total;
}

// x: one value per input. NAN is a missing value; a category is the index of its level, and any other value a level not
// seen in training. units: how many units to use, rounded down to a complete step; 0 uses all. Writes waves_OUTPUTS values to
// out and returns waves_OK, or returns an error and leaves out unchanged.
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
