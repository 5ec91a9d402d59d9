/**
 * Raised whenever a change of the engine changes the numbers of a run. 4: validation examples are kept from training and
 * choose the weights, and the tests are evaluated once, with these; what a function of a cell
 * captured is part of what a run is. 5: convolutions of 3 x 3 take fewer multiplications on `simd`, and batch
 * normalisation has its gradients in closed form; perplexity over 256 words or more adds losses in float32.
 */
export const NUMERICS = 5
