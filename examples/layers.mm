# Four layers as in layer.mm, one after the other.
# meshmul run examples/layers.mm --mesh X=4 --random --check --design ring

f32 X[B=256, D=1024_X]
W1[L=4, D, F=16384_X]
W2[L, F_X, D]

repeat L as l {
  H = gelu(X * W1[l])
  X = H * W2[l] like X
}
