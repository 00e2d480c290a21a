#ifndef classify_h
#define classify_h

/* Which wave is in the 21 samples: 0, 1 or 2, or a negative error of waves.h. *units gets how
   many units were computed. */
int classify(const float* samples, int* units);

#endif
