import { family, first, one, type Rules } from '../rule.ts'

/** Complex numbers and Fourier transforms, `[..., n]` in and out. */
export const spectral: Rules = {
  ...family(['Complex', 'FFT', 'IFFT'], (inputs) => one(first(inputs).shape, 'complex64')),
  ...family(['ComplexAbs', 'Imag', 'Real'], (inputs) => one(first(inputs).shape, 'float32')),
}
