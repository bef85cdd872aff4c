# Four layers, each with weights of its own. A line `grad X(dY) -> dX, dW1, dW2` at the end asks for the gradients with respect
# to the input and to all weights as well.

bf16 X[B=256, D=1024]?
bf16 W1[L=4, D, F=16384]? = "layers.{l}.mlp.up"     # one tensor of a file for each layer
bf16 W2[L, F, D]? = "layers.{l}.mlp.down"

repeat L as l {
  H = gelu(X * W1[l])
  X = H * W2[l] like X
}
