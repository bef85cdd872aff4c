#include <meshmul/c_api.h>
#include <stdio.h>

// Writes `value` to all elements of an input, on every rank that holds it. False if that goes wrong.
static int fill(meshmul_session* session, const char* array, float value) {
  for (int32_t rank = 0; rank < meshmul_num_ranks(session); ++rank) {
    const meshmul_shard* shard;
    void* data;
    if (meshmul_input_shard(session, array, rank, &shard) != MESHMUL_OK) return 0;
    if (meshmul_host_data(session, shard, &data) != MESHMUL_OK) return 0;
    for (int64_t i = 0; i < shard->shape[0]; ++i)
      for (int64_t j = 0; j < shard->shape[1]; ++j)
        ((float*)data)[i * shard->strides[0] + j * shard->strides[1]] = value;
  }
  return 1;
}

// A is gathered while it is multiplied; rank r gets its columns of C.
static int multiply(meshmul_session* session) {
  if (!fill(session, "A", 2) || !fill(session, "B", 3)) return 0;
  if (meshmul_run(session) != MESHMUL_OK) return 0;
  const meshmul_shard* shard;
  void* data;
  if (meshmul_output_shard(session, "C", 1, &shard) != MESHMUL_OK) return 0;
  if (meshmul_host_data(session, shard, &data) != MESHMUL_OK) return 0;
  printf("%sC[%d, %d] = %g\n", meshmul_plan_text(session), (int)shard->begin[0], (int)shard->begin[1], *(float*)data);
  return *(float*)data == 2 * 3 * 16;
}

int main(void) {
  meshmul_options* options = meshmul_options_new();
  meshmul_session* session = NULL;
  const int fine = meshmul_options_set(options, "design", "pull") == MESHMUL_OK &&
                   meshmul_open("A[I=8_X, J=16] * B[J, K=12_X] -> C[I, K_X]", "X=4", "threads", "cpu", options,
                                &session) == MESHMUL_OK &&
                   multiply(session);
  if (!fine) fprintf(stderr, "%s\n", meshmul_last_error());
  meshmul_close(session);
  meshmul_options_free(options);
  return fine ? 0 : 1;
}
