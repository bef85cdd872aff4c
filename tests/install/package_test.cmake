# Installs `build` below `work`, moves the installation, configures tests/install/consumer with it, builds and runs that.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${build} --config ${config} --prefix ${work}/first)
# A package may be unpacked anywhere.
file(RENAME ${work}/first ${work}/moved)
run(${CMAKE_COMMAND} -G ${generator} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${work}/consumer
  -D CMAKE_BUILD_TYPE=${config} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${work}/moved)
run(${CMAKE_COMMAND} --build ${work}/consumer --config ${config})
run(${work}/consumer/consumer)
run(${work}/consumer/consumer_in_c)
run(${work}/moved/bin/meshmul run "A[I=4_X, J=3] * B[J, K=2] -> C[I_X, K]" --mesh X=2 --random --backend processes --check)
file(REMOVE_RECURSE ${work})
