#pragma once
// Marks functions that the host and the device share, so that tests without a GPU run what the GPU runs.

#ifdef __CUDACC__
#define MESHMUL_HOST_DEVICE __host__ __device__
#else
#define MESHMUL_HOST_DEVICE
#endif
