# An MLP layer for a batch of 256 on ranks that share its weights: each has a part of the hidden dimension. X is gathered before
# the first product, and the sums of the second are scattered.
# meshmul run examples/layer.mm --mesh X=4 --random --check --design pull

f32 X[B=256, D=1024_X]
W1[D, F=16384_X]
W2[F_X, D]

H = gelu(X * W1)
Y = H * W2 like X
