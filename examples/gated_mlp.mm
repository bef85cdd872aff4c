# A gated MLP: one product opens the gate for another.

bf16 X[B=128, D=4096]?
bf16 Wgate[D, F=14336]?
bf16 Wup[D, F]?
bf16 Wdown[F, D]?

S = silu(X * Wgate)
V = X * Wup
H = mul(S, V)
Y = H * Wdown like X
