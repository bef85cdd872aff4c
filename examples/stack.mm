# Four layers, each with weights of its own, and the gradients with respect to the input and to all weights.

bf16 X[B=256, D=1024]?
bf16 W1[L=4, D, F=16384]? = "layers.{l}.mlp.up"     # one tensor of a file for each layer
bf16 W2[L, F, D]? = "layers.{l}.mlp.down"

repeat L as l {
  H = gelu(X * W1[l])
  X = H * W2[l] like X
}

grad X(dX) -> dX, dW1, dW2
