import { binaryKernels } from './binary.ts'
import { castKernels } from './cast.ts'
import { convKernels } from './conv.ts'
import { depthwiseKernels } from './convDepthwise.ts'
import { fusedKernels } from './fused.ts'
import { gatherKernels } from './gather.ts'
import type { SimdKernels } from './kernel.ts'
import { matmulKernels } from './matmul.ts'
import { optimizerKernels } from './optimizers.ts'
import { reductionKernels } from './reductions.ts'
import { shapeKernels } from './shape.ts'
import { softmaxKernels } from './softmax.ts'
import { transposeKernels } from './transpose.ts'
import { unaryKernels } from './unary.ts'

/** All kernels of ours by their tfjs names. A new file is one line here. */
export const simdKernels: SimdKernels = {
  ...binaryKernels,
  ...castKernels,
  ...convKernels,
  ...depthwiseKernels,
  ...fusedKernels,
  ...gatherKernels,
  ...matmulKernels,
  ...optimizerKernels,
  ...reductionKernels,
  ...shapeKernels,
  ...softmaxKernels,
  ...transposeKernels,
  ...unaryKernels,
}
