#pragma once
// Products of sharded arrays for programs in C, and in all languages that can call C: a statement becomes a session
// whose inputs are written, which runs, and whose outputs are read. docs/c-api.md has a whole program.
//
// Texts are in UTF-8 and end in a zero byte. A session is used by one thread at a time; different ones do not know of
// each other.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// What functions return that can fail, with the meaning of the exit codes of the command line. Nothing is thrown.
typedef int32_t meshmul_status;
enum {
  MESHMUL_OK = 0,
  MESHMUL_WRONG_INPUT = 2,  ///< an argument is wrong, or asks for more memory, or for what this build or machine lacks
  MESHMUL_FAILED = 3        ///< a rank or the machine failed
};

/// What was wrong in the last call on this thread that failed: a sentence; where the text of a statement or mesh is at
/// fault, that text and a caret under the place. Empty before the first one. Good until the next call on this thread
/// that fails.
const char* meshmul_last_error(void);

/// How statements are planned, built and run. What is not set is as `meshmul run` has it.
typedef struct meshmul_options meshmul_options;

/// Null if there is no memory.
meshmul_options* meshmul_options_new(void);
/// Of null nothing.
void meshmul_options_free(meshmul_options* options);

/// Sets one option, named and written as on the command line, without the dashes:
///
///     memory          most bytes per device: 300MB, 16GiB
///     wire-dtype      the element type in which partial sums travel: f32
///     algorithm       of collectives: direct, ring, ring-both-ways
///     design          of products beside which something moves: pull, or for operands and for sums: pull,in-place
///     chunks, rows-per-round, slots, copy-bytes, copy-lanes    sizes of the pieces of a design (docs/overlap.md)
///     kernels         library of local products: reference, openblas, onednn; looked for when a session is opened
///     deadline        how long nothing may happen on any rank before a run fails: 30s, 500ms
///     ranks-per-gpu   with the backend cuda: how many neighbouring ranks share a GPU
///
/// Keys are added and never change what they mean. MESHMUL_WRONG_INPUT for a key or a value that there is not; nothing
/// is set then.
meshmul_status meshmul_options_set(meshmul_options* options, const char* key, const char* value);

/// A statement that was planned, built, proven and loaded on a backend.
typedef struct meshmul_session meshmul_session;

/// Does all that. `statement`: a product, a change of sharding or a collective, with every size in it
/// (docs/notation.md); dtypes that it leaves out are f32. `mesh`: `X=4,Y=2`; empty: one rank. `backend`: threads,
/// processes, reference, or cuda where there is a GPU. `hardware`: the profile by which it is planned, a name or a TOML
/// file: cpu, h200. `options` may be null; they are copied. Afterwards `*session` is the session, or null if something
/// was wrong.
meshmul_status meshmul_open(const char* statement, const char* mesh, const char* backend, const char* hardware,
                            const meshmul_options* options, meshmul_session** session);
/// With all its memory and all that it has handed out. Of null nothing.
void meshmul_close(meshmul_session* session);

/// Ranks are numbered row-major over the mesh, the last axis fastest. 0 of null.
int32_t meshmul_num_ranks(const meshmul_session* session);

/// What one rank holds of an array. The library alone makes these, so that fields can be added at the end.
typedef struct meshmul_shard {
  const char* dtype;  ///< f64, f32, bf16, f16, f8e4m3, i8, i32
  int64_t element_bytes;
  int32_t num_dims;        ///< of the array; the three below have so many elements
  const int64_t* begin;    ///< where the shard begins in the whole array
  const int64_t* shape;    ///< its elements; 0 in some dimension: the rank holds nothing
  const int64_t* strides;  ///< elements from one to the next
} meshmul_shard;

/// The shard of an input, or of the output, by its name in the statement; one that has none there is A, B or C. Where
/// several ranks hold the same part of an input, it is written on each of them. With partial sums, {U_X}, ranks along X
/// hold terms that add up to the array. Good until the session is closed. MESHMUL_WRONG_INPUT if there is no such array
/// or rank; `*shard` is null then.
meshmul_status meshmul_input_shard(meshmul_session* session, const char* array, int32_t rank,
                                   const meshmul_shard** shard);
meshmul_status meshmul_output_shard(meshmul_session* session, const char* array, int32_t rank,
                                    const meshmul_shard** shard);

/// The first element of a shard in memory of this process: inputs are written there before a run, outputs read after
/// it. Null if the shard has no element. Good until the next run; on backends that run on CPUs until the session is
/// closed or reset.
meshmul_status meshmul_host_data(meshmul_session* session, const meshmul_shard* shard, void** data);

/// The same in memory of the GPU that the rank runs on; null on backends that run on CPUs, and if the shard has no
/// element. Good until the session is closed or reset. Whoever works there is done before `meshmul_run` is called. An
/// input is written here or by `meshmul_host_data`, not both: what that handed out since the last run is written over
/// it when the next one begins. What was written here is seen by the next run; by `meshmul_host_data` if that is called
/// after this has been.
meshmul_status meshmul_device_data(meshmul_session* session, const meshmul_shard* shard, void** data);

/// Computes the output from the inputs, and returns when that is done on all ranks. MESHMUL_FAILED with the rank, op
/// and signal if a rank dies or stalls; every further run then fails in the same way until `meshmul_reset`.
meshmul_status meshmul_run(meshmul_session* session);
/// Builds all ranks and memory anew. The contents of all arrays are lost.
meshmul_status meshmul_reset(meshmul_session* session);

/// Seconds of the last run that went well, from the first rank's start to the last rank's end; 0 before that, and of
/// null.
double meshmul_seconds(const meshmul_session* session);

/// The plan: its steps, what was not taken, and the way in which it was built; and the schedule that runs, in its text
/// form (docs/schedule-ir.md). Good until the session is closed. Null if something was wrong.
const char* meshmul_plan_text(meshmul_session* session);
const char* meshmul_schedule_text(meshmul_session* session);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
