# Forward and backward of an MLP: what is kept for the backward pass, and what is computed again.
# meshmul plan examples/mlp_grad.mm --mesh X=4 --hardware v5e:4x4

bf16 In[B=4096, D=2048]?
bf16 Win[D, F=8192]?
bf16 Wout[F, D]?
H = gelu(In * Win)
Out = H * Wout like In
grad Out(dOut) -> dIn, dWin, dWout
