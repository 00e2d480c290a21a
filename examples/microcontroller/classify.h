#ifndef classify_h
#define classify_h

/* The wave in the 21 samples: 0, 1 or 2, or a negative error of waves.h. Sets *units to the units computed. */
int classify(const float* samples, int* units);

#endif
