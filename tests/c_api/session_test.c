// The C API from C: results to the last bit, and what is said of wrong input. `session_test cuda` runs on another
// backend.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meshmul/c_api.h"

static const char* backend = "threads";

#define CHECK(condition)                                                                                            \
  do {                                                                                                              \
    if (!(condition)) {                                                                                             \
      fprintf(stderr, "%s:%d: not so: %s; last error: %s\n", __FILE__, __LINE__, #condition, meshmul_last_error()); \
      exit(1);                                                                                                      \
    }                                                                                                               \
  } while (0)

#define CHECK_REFUSED(call, sentence)                     \
  do {                                                    \
    CHECK((call) == MESHMUL_WRONG_INPUT);                 \
    CHECK(strcmp(meshmul_last_error(), (sentence)) == 0); \
  } while (0)

static meshmul_options* new_options(void) {
  meshmul_options* options = meshmul_options_new();
  CHECK(options != NULL);
  if (strlen(MESHMUL_TEST_KERNELS) > 0)
    CHECK(meshmul_options_set(options, "kernels", MESHMUL_TEST_KERNELS) == MESHMUL_OK);
  return options;
}

static meshmul_session* open_session(const char* statement, const char* mesh, const meshmul_options* options) {
  meshmul_session* session = NULL;
  CHECK(meshmul_open(statement, mesh, backend, "cpu", options, &session) == MESHMUL_OK);
  CHECK(session != NULL);
  return session;
}

static int32_t a_at(int64_t i, int64_t j, int32_t run) { return (int32_t)(3 * i - 2 * j + run); }
static int32_t b_at(int64_t j, int64_t k, int32_t run) { return (int32_t)(j - k + 2 * run); }

// The element of a matrix at a place of its shard, of 32 bits.
static int32_t* element(const meshmul_shard* shard, void* data, int64_t i, int64_t j) {
  return (int32_t*)data + i * shard->strides[0] + j * shard->strides[1];
}

static const meshmul_shard* shard_of(meshmul_session* session, const char* array, int32_t rank, int is_output) {
  const meshmul_shard* shard = NULL;
  CHECK((is_output ? meshmul_output_shard : meshmul_input_shard)(session, array, rank, &shard) == MESHMUL_OK);
  CHECK(shard != NULL && shard->num_dims == 2 && shard->element_bytes == 4);
  return shard;
}

static void* host_data(meshmul_session* session, const meshmul_shard* shard) {
  void* data = NULL;
  CHECK(meshmul_host_data(session, shard, &data) == MESHMUL_OK);
  CHECK((data == NULL) == (shard->shape[0] == 0 || shard->shape[1] == 0));
  return data;
}

static void fill(meshmul_session* session, const char* array, int32_t (*at)(int64_t, int64_t, int32_t), int32_t run) {
  for (int32_t rank = 0; rank < meshmul_num_ranks(session); ++rank) {
    const meshmul_shard* shard = shard_of(session, array, rank, 0);
    void* data = host_data(session, shard);
    for (int64_t i = 0; i < shard->shape[0]; ++i)
      for (int64_t j = 0; j < shard->shape[1]; ++j)
        *element(shard, data, i, j) = at(shard->begin[0] + i, shard->begin[1] + j, run);
  }
}

// The product of all that A and B hold, on every rank where C lies.
static void check_product(meshmul_session* session, int64_t depth, int32_t run) {
  for (int32_t rank = 0; rank < meshmul_num_ranks(session); ++rank) {
    const meshmul_shard* shard = shard_of(session, "C", rank, 1);
    CHECK(strcmp(shard->dtype, "i32") == 0);
    void* data = host_data(session, shard);
    for (int64_t i = 0; i < shard->shape[0]; ++i)
      for (int64_t k = 0; k < shard->shape[1]; ++k) {
        int32_t sum = 0;
        for (int64_t j = 0; j < depth; ++j)
          sum += a_at(shard->begin[0] + i, j, run) * b_at(j, shard->begin[1] + k, run);
        CHECK(*element(shard, data, i, k) == sum);
      }
  }
}

static void test_a_product_is_exact_run_after_run(void) {
  meshmul_options* options = new_options();
  meshmul_session* session = open_session("i32 A[I=5_X, J=7] * B[J, K=3] -> C[I, K_X]", "X=4", options);
  meshmul_options_free(options);
  CHECK(meshmul_num_ranks(session) == 4);
  CHECK(meshmul_seconds(session) == 0);
  // Blocks of two rows, the last but one of a single row, the last of none.
  const int64_t rows[] = {2, 2, 1, 0};
  for (int32_t rank = 0; rank < 4; ++rank) {
    CHECK(shard_of(session, "A", rank, 0)->shape[0] == rows[rank]);
    CHECK(shard_of(session, "A", rank, 0)->shape[1] == 7);
  }
  for (int32_t run = 0; run < 3; ++run) {
    fill(session, "A", a_at, run);
    fill(session, "B", b_at, run);
    CHECK(meshmul_run(session) == MESHMUL_OK);
    CHECK(meshmul_seconds(session) > 0);
    check_product(session, 7, run);
  }
  CHECK(meshmul_reset(session) == MESHMUL_OK);
  fill(session, "A", a_at, 9);
  fill(session, "B", b_at, 9);
  CHECK(meshmul_run(session) == MESHMUL_OK);
  check_product(session, 7, 9);
  meshmul_close(session);
}

static void test_options_say_how_it_is_built(void) {
  meshmul_options* options = new_options();
  CHECK(meshmul_options_set(options, "design", "pull") == MESHMUL_OK);
  CHECK(meshmul_options_set(options, "chunks", "2") == MESHMUL_OK);
  CHECK(meshmul_options_set(options, "deadline", "60s") == MESHMUL_OK);
  CHECK(meshmul_options_set(options, "memory", "16MiB") == MESHMUL_OK);
  meshmul_session* session = open_session("i32 A[I=12_X, J=6] * B[J, K=8_X] -> C[I, K_X]", "X=3", options);
  CHECK(strstr(meshmul_plan_text(session), "AllGather_X") != NULL);
  CHECK(strstr(meshmul_plan_text(session), "\nbuilt overlapped pull in 2 chunks\n") != NULL);
  // A rank multiplies its own rows, and two chunks of each of its two peers.
  const char* schedule = meshmul_schedule_text(session);
  CHECK(strstr(schedule, "meshmul schedule 1\nmesh X=3\n") == schedule);
  int gemms = 0;
  for (const char* at = schedule; (at = strstr(at, "    gemm ")) != NULL; ++at) ++gemms;
  CHECK(gemms == 3 * (1 + 2 * 2) || gemms == 3 * (2 + 2 * 2));
  fill(session, "A", a_at, 1);
  fill(session, "B", b_at, 1);
  CHECK(meshmul_run(session) == MESHMUL_OK);
  check_product(session, 6, 1);
  meshmul_close(session);
  meshmul_options_free(options);
}

static void test_arrays_are_found_by_name_and_rank(void) {
  meshmul_session* session = open_session("bf16 A[I=4_X, J=6] -> A[I, J_X]", "X=2", NULL);
  const meshmul_shard *before = NULL, *after = NULL;
  CHECK(meshmul_input_shard(session, "A", 1, &before) == MESHMUL_OK);
  CHECK(meshmul_output_shard(session, "A", 1, &after) == MESHMUL_OK);
  CHECK(strcmp(before->dtype, "bf16") == 0 && before->element_bytes == 2);
  CHECK(before->begin[0] == 2 && before->begin[1] == 0 && before->shape[0] == 2 && before->shape[1] == 6);
  CHECK(after->begin[0] == 0 && after->begin[1] == 3 && after->shape[0] == 4 && after->shape[1] == 3);
  const meshmul_shard* none = before;
  CHECK_REFUSED(meshmul_input_shard(session, "B", 0, &none), "the statement has no input B; expected A");
  CHECK(none == NULL);
  CHECK_REFUSED(meshmul_output_shard(session, "A", 2, &none), "there is no rank 2; expected 0 to 1");
  CHECK_REFUSED(meshmul_output_shard(session, "A", -1, &none), "there is no rank -1; expected 0 to 1");
  void* data = session;
  CHECK_REFUSED(meshmul_host_data(session, NULL, &data), "shard is null");
  CHECK(data == NULL);
  meshmul_session* other = open_session("bf16 A[I=4_X, J=6] -> A[I, J_X]", "X=2", NULL);
  CHECK_REFUSED(meshmul_host_data(other, before, &data), "the shard belongs to another session");
  CHECK(meshmul_device_data(session, before, &data) == MESHMUL_OK);
  CHECK((data != NULL) == (strcmp(backend, "cuda") == 0));
  meshmul_close(other);
  meshmul_close(session);
}

static void test_arrays_without_names_get_some(void) {
  meshmul_session* session = open_session("AllGather_X(f32[4_X])", "X=2", NULL);
  const meshmul_shard* shard = NULL;
  CHECK(meshmul_input_shard(session, "A", 1, &shard) == MESHMUL_OK);
  CHECK(shard->num_dims == 1 && shard->begin[0] == 2 && shard->shape[0] == 2);
  meshmul_close(session);
}

static void test_wrong_input_is_refused_in_words(void) {
  meshmul_session* session = (meshmul_session*)&session;
  CHECK_REFUSED(meshmul_open("A[I=4_X, J_X] * B[J, K] -> C[I, K]", "X=2", backend, "cpu", NULL, &session),
                "A[I=4_X, J_X] * B[J, K] -> C[I, K]\n"
                "           ^ mesh axis X already cuts dimension I of A; an axis can be used once per array");
  CHECK(session == NULL);
  CHECK_REFUSED(meshmul_open("A[I_X] -> A[I]", "X=2", backend, "cpu", NULL, &session),
                "index I has no size; write I=SIZE once");
  CHECK_REFUSED(meshmul_open("A[I=4] -> A[I]", "X=0", backend, "cpu", NULL, &session),
                "X=0\n  ^ the size of mesh axis X is '0'; expected a whole number from 1 to 1048576");
  CHECK(meshmul_open("A[I=4] -> A[I]", "", "abacus", "cpu", NULL, &session) == MESHMUL_WRONG_INPUT);
  CHECK(strstr(meshmul_last_error(), "backend \"abacus\" is none of reference, threads, processes") ==
        meshmul_last_error());
  CHECK(meshmul_open("A[I=4] -> A[I]", "", backend, "no such chip", NULL, &session) == MESHMUL_WRONG_INPUT);
  CHECK_REFUSED(meshmul_open(NULL, "", backend, "cpu", NULL, &session), "statement is null");
  CHECK_REFUSED(meshmul_open("A[I=4] -> A[I]", "", backend, "cpu", NULL, NULL), "the place for the session is null");
}

static void test_wrong_options_are_refused_in_words(void) {
  meshmul_options* options = meshmul_options_new();
  CHECK_REFUSED(meshmul_options_set(options, "chunk", "2"),
                "option \"chunk\" is none of memory, wire-dtype, algorithm, design, chunks, rows-per-round, slots, "
                "copy-bytes, copy-lanes, kernels, deadline, ranks-per-gpu; did you mean chunks?");
  CHECK_REFUSED(meshmul_options_set(options, "design", "pul"),
                "design \"pul\" is none of sequential, in-place, pull, push, ring, ring-both-ways; did you mean pull?");
  CHECK_REFUSED(meshmul_options_set(options, "design", "pull,push,ring"),
                "design takes a name, or one for operands and one for sums; found \"pull,push,ring\"");
  CHECK_REFUSED(meshmul_options_set(options, "deadline", "soon"),
                "deadline takes a time, such as 30s or 500ms; found \"soon\"");
  CHECK_REFUSED(meshmul_options_set(options, "memory", "lots"),
                "memory takes bytes, such as 300MB or 16GiB; found \"lots\"");
  CHECK(meshmul_options_set(options, "wire-dtype", "f33") == MESHMUL_WRONG_INPUT);
  CHECK_REFUSED(meshmul_options_set(NULL, "chunks", "2"), "options is null");
  meshmul_session* session = NULL;
  const char* statement = "A[I=4_X, J=4] * B[J, K=4] -> C[I, K]";
  CHECK(meshmul_options_set(options, "chunks", "2") == MESHMUL_OK);
  CHECK_REFUSED(meshmul_open(statement, "X=2", backend, "cpu", options, &session),
                "chunks counts where design says how products are overlapped; set that too");
  meshmul_options_free(options);
  options = meshmul_options_new();
  CHECK(meshmul_options_set(options, "ranks-per-gpu", "1") == MESHMUL_OK);
  CHECK_REFUSED(meshmul_open(statement, "X=2", "reference", "cpu", options, &session),
                "ranks-per-gpu counts for the backend cuda; found reference");
  meshmul_options_free(options);
  options = meshmul_options_new();
  CHECK(meshmul_options_set(options, "memory", "100B") == MESHMUL_OK);
  CHECK(meshmul_open(statement, "X=2", backend, "cpu", options, &session) == MESHMUL_WRONG_INPUT);
  CHECK(strstr(meshmul_last_error(), "no plan fits into 100 bytes a device") != NULL);
  meshmul_options_free(options);
}

static void test_what_could_not_be_opened_is_refused_later_too(void) {
  meshmul_session* session = NULL;
  CHECK(meshmul_open("A[", "X=2", backend, "cpu", NULL, &session) == MESHMUL_WRONG_INPUT);
  const meshmul_shard* shard = NULL;
  void* data = NULL;
  CHECK_REFUSED(meshmul_input_shard(session, "A", 0, &shard), "session is null");
  CHECK_REFUSED(meshmul_host_data(session, shard, &data), "session is null");
  CHECK_REFUSED(meshmul_device_data(session, shard, &data), "session is null");
  CHECK_REFUSED(meshmul_run(session), "session is null");
  CHECK_REFUSED(meshmul_reset(session), "session is null");
  CHECK(meshmul_plan_text(session) == NULL && meshmul_schedule_text(session) == NULL);
  CHECK(meshmul_num_ranks(session) == 0 && meshmul_seconds(session) == 0);
  meshmul_close(session);
  meshmul_options_free(NULL);
}

int main(int argc, char** argv) {
  if (argc > 1) backend = argv[1];
  CHECK(strcmp(meshmul_last_error(), "") == 0);
  test_a_product_is_exact_run_after_run();
  test_options_say_how_it_is_built();
  test_arrays_are_found_by_name_and_rank();
  test_arrays_without_names_get_some();
  test_wrong_input_is_refused_in_words();
  test_wrong_options_are_refused_in_words();
  test_what_could_not_be_opened_is_refused_later_too();
  printf("the C API is fine on %s\n", backend);
  return 0;
}
