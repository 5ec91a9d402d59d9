import type { Case } from './cases.ts'
import { composed } from './composed.ts'
import { elementwise } from './elementwise.ts'
import { pictures } from './pictures.ts'
import { moving, products, reductions } from './shaping.ts'

/** The tables by what their operations do. */
export const families = { elementwise, reductions, products, moving, pictures, composed }

/** The differentiable operations of tfjs by name, each with shapes and attributes for which its gradient is right. */
export const table: Record<string, Case[]> = Object.assign({}, ...Object.values(families))

/** Other names of operations of the table, or such as are made of it. */
export const synonyms: Record<string, string> = {
  ...{ batchNorm2d: 'batchNorm', batchNorm3d: 'batchNorm', batchNorm4d: 'batchNorm' },
  ...{ concat1d: 'concat', concat2d: 'concat', concat3d: 'concat', concat4d: 'concat' },
  ...{ slice1d: 'slice', slice2d: 'slice', slice3d: 'slice', slice4d: 'slice' },
  ...{ reverse1d: 'reverse', reverse2d: 'reverse', reverse3d: 'reverse', reverse4d: 'reverse' },
  ...{ pad1d: 'pad', pad2d: 'pad', pad3d: 'pad', pad4d: 'pad', booleanMaskAsync: 'gather' },
}

/** Without a gradient that is right: a model that trains through them is refused. By name. */
export const refused = [
  ...['bincount', 'complex', 'denseBincount', 'fft', 'ifft', 'imag', 'irfft', 'maxPool3d', 'maxPoolWithArgmax'],
  ...['multinomial', 'raggedGather', 'raggedTensorToTensor', 'real', 'rfft', 'unique', 'stft', 'tensorScatterUpdate'],
  ...['cropAndResize', 'rotateWithOffset', 'transform', 'threshold', 'sparseSegmentMean', 'sparseSegmentSum'],
  ...['sparseFillEmptyRows'],
]

/** They take no numbers that a model computes, or give whole numbers and truth values read from values. */
export const constant = [
  ...['broadcastArgs', 'buffer', 'confusionMatrix', 'cosineWindow', 'eye', 'fill', 'hammingWindow', 'hannWindow'],
  ...['inTopKAsync', 'linspace', 'lowerBound', 'ones', 'rand', 'randomGamma', 'randomNormal', 'randomStandardNormal'],
  ...['randomUniform', 'randomUniformInt', 'range', 'raggedRange', 'scalar', 'searchSorted', 'setdiff1dAsync'],
  ...['sparseReshape', 'tensor', 'tensor1d', 'tensor2d', 'tensor3d', 'tensor4d', 'tensor5d', 'tensor6d'],
  ...['truncatedNormal', 'upperBound', 'variable', 'whereAsync', 'zeros'],
  ...['nonMaxSuppression', 'nonMaxSuppressionAsync', 'nonMaxSuppressionWithScore', 'nonMaxSuppressionWithScoreAsync'],
  ...['nonMaxSuppressionPadded', 'nonMaxSuppressionPaddedAsync'],
]

/** No operations: the machinery of tfjs. */
export const machinery = [
  ...[
    'backend',
    'copyRegisteredKernels',
    'customGrad',
    'deprecationWarn',
    'deregisterOp',
    'disableDeprecationWarnings',
  ],
  ...['dispose', 'disposeVariables', 'enableDebugMode', 'enableProdMode', 'enclosingPowerOfTwo', 'engine', 'env'],
  ...['findBackend', 'findBackendFactory', 'forceHalfFloat', 'getBackend', 'getGradient', 'getKernel'],
  ...['getKernelsForBackend', 'grad', 'grads', 'input', 'keep', 'loadGraphModel', 'loadGraphModelSync'],
  ...['loadLayersModel', 'memory', 'model', 'nextFrame', 'op', 'print', 'profile', 'ready', 'registerBackend'],
  ...['registerCallbackConstructor', 'registerGradient', 'registerKernel', 'registerOp', 'removeBackend', 'sequential'],
  ...['setBackend', 'setPlatform', 'setWebGLContext', 'sumOutType', 'tidy', 'time', 'train', 'unregisterGradient'],
  ...['unregisterKernel', 'upcastType', 'valueAndGrad', 'valueAndGrads', 'variableGrads'],
]
