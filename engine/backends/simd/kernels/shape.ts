import type { SimdKernels } from './kernel.ts'
import { concatKernels } from './shapeConcat.ts'
import { fillKernels } from './shapeFill.ts'
import { padKernels } from './shapePad.ts'
import { sliceKernels } from './shapeSlice.ts'

/** Slices, joins, repetitions and constants. Reshape and Identity stay stock: they share the memory of their input. */
export const shapeKernels: SimdKernels = { ...sliceKernels, ...concatKernels, ...padKernels, ...fillKernels }
