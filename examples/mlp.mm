# The two products of an MLP layer, with every sharding left to the planner: problem 7 of part 3 of the book
# "How to Scale Your Model". What comes out lies as what goes in, so that layers can follow one another.

bf16 In[B=128, D=8192]?
bf16 Win[D, F=32768]?
bf16 Wout[F, D]?

H = In * Win
Out = H * Wout like In
