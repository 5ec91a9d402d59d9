import type { NamedAttrMap } from '@tensorflow/tfjs-core'

/** An operation that does the same with each element. */
export interface MapRule {
  /** In additions, about. */
  cost: number
  /** WGSL of the result, made of the WGSL of the inputs, in the order of the operation. */
  code(inputs: string[], attributes: NamedAttrMap, dtype: string): string
}

const binary = (operator: string, cost = 1): MapRule => ({ cost, code: ([a, b]) => `(${a} ${operator} ${b})` })
const call = (name: string, cost = 4): MapRule => ({ cost, code: (inputs) => `${name}(${inputs.join(', ')})` })
const chosen = (condition: (x: string) => string, dtype = 'f32'): MapRule => {
  return { cost: 1, code: ([x]) => `select(${dtype}(0), ${dtype}(1), ${condition(x as string)})` }
}

/** A number as WGSL writes it. */
export function literal(value: number, dtype = 'float32'): string {
  if (dtype === 'int32') return value < 0 ? `(${value | 0})` : `${value | 0}`
  if (dtype === 'bool') return value ? 'true' : 'false'
  // WGSL has no constants that are not finite
  const rounded = Math.fround(value)
  if (Number.isNaN(rounded)) return 'bitcast<f32>(nought | 0x7fc00000u)'
  if (!Number.isFinite(rounded)) return `bitcast<f32>(nought | ${value > 0 ? '0x7f800000u' : '0xff800000u'})`
  const text = Object.is(rounded, -0) ? '-0.0' : String(rounded)
  const whole = `${/[.e]/.test(text) ? text : `${text}.0`}f`
  return whole.startsWith('-') ? `(${whole})` : whole
}

/** What WGSL calls a type. */
export function typeOf(dtype: string): string {
  return { float32: 'f32', int32: 'i32', bool: 'bool' }[dtype] ?? 'f32'
}

/** The operations that do the same with each element, by their tfjs names. */
export const maps: Record<string, MapRule> = {
  Add: binary('+'),
  AddV2: binary('+'),
  AddN: { cost: 2, code: (inputs) => `(${inputs.join(' + ')})` },
  Sub: binary('-'),
  Multiply: binary('*'),
  RealDiv: binary('/', 2),
  Maximum: call('max', 1),
  Minimum: call('min', 1),
  SquaredDifference: { cost: 2, code: ([a, b]) => `((${a} - ${b}) * (${a} - ${b}))` },
  Pow: { cost: 6, code: ([a, b]) => (b === '2.0f' ? `(${a} * ${a})` : `power(${a}, ${b})`) },
  Mod: {
    cost: 4,
    code: ([a, b], _, dtype) =>
      dtype === 'int32' ? `(${a} - ${b} * wholeQuotient(${a}, ${b}))` : `(${a} - ${b} * floor(${a} / ${b}))`,
  },
  FloorDiv: {
    cost: 4,
    code: ([a, b], _, dtype) => (dtype === 'int32' ? `wholeQuotient(${a}, ${b})` : `i32(floor(${a} / ${b}))`),
  },
  Atan2: call('arcTangent2', 12),
  BitwiseAnd: binary('&'),
  Greater: binary('>'),
  GreaterEqual: binary('>='),
  Less: binary('<'),
  LessEqual: binary('<='),
  Equal: binary('=='),
  NotEqual: binary('!='),
  LogicalAnd: binary('&'),
  LogicalOr: binary('|'),
  LogicalNot: { cost: 1, code: ([x]) => `(!${x})` },
  Select: { cost: 1, code: ([condition, yes, no]) => `select(${no}, ${yes}, ${condition})` },
  Neg: { cost: 1, code: ([x]) => `(-${x})` },
  Abs: call('abs', 1),
  Sign: call('sign', 1),
  Square: { cost: 1, code: ([x]) => `(${x} * ${x})` },
  Sqrt: call('sqrt'),
  Rsqrt: call('inverseSqrt'),
  Reciprocal: { cost: 2, code: ([x]) => `(1.0f / ${x})` },
  Exp: call('exp'),
  Expm1: call('exponentialMinus1'),
  Log: call('logarithm'),
  Log1p: call('logarithm1p'),
  Sin: call('sine', 14),
  Cos: call('cosine', 14),
  Tan: { cost: 28, code: ([x]) => `(sine(${x}) / cosine(${x}))` },
  Asin: call('arcSine', 14),
  Acos: call('arcCosine', 14),
  Atan: call('arcTangent', 12),
  Sinh: call('hyperbolicSine', 8),
  Cosh: call('hyperbolicCosine', 8),
  Tanh: call('hyperbolic', 8),
  Asinh: call('areaSine', 8),
  Acosh: call('areaCosine', 8),
  Atanh: call('areaTangent', 6),
  Erf: call('erf', 10),
  Sigmoid: call('sigmoid', 6),
  Softplus: call('softplus', 8),
  Relu: { cost: 1, code: ([x], _, dtype) => `max(${x}, ${literal(0, dtype)})` },
  Relu6: { cost: 1, code: ([x]) => `clamp(${x}, 0.0f, 6.0f)` },
  Elu: { cost: 5, code: ([x]) => `select(exponentialMinus1(${x}), ${x}, ${x} >= 0.0f)` },
  Selu: {
    cost: 6,
    code: ([x]) => `select(1.7580993f * exponentialMinus1(${x}), 1.05070099f * ${x}, ${x} >= 0.0f)`,
  },
  EluGrad: { cost: 2, code: ([dy, y]) => `select(${dy} * (${y} + 1.0f), ${dy}, ${y} >= 0.0f)` },
  Prelu: { cost: 2, code: ([x, alpha]) => `select(${x}, ${alpha} * ${x}, ${x} < 0.0f)` },
  LeakyRelu: { cost: 1, code: ([x], { alpha }) => `select(${literal(alpha as number)} * ${x}, ${x}, ${x} > 0.0f)` },
  Step: {
    cost: 1,
    code: ([x], { alpha }) => `select(${literal((alpha as number | undefined) ?? 0)}, 1.0f, ${x} > 0.0f)`,
  },
  ClipByValue: {
    cost: 1,
    code: ([x], { clipValueMin: low, clipValueMax: high }) =>
      `clamp(${x}, ${literal(low as number)}, ${literal(high as number)})`,
  },
  Floor: call('floor', 1),
  Ceil: call('ceil', 1),
  Round: call('round', 1),
  IsNan: { cost: 1, code: ([x]) => `((bitcast<u32>(${x}) & 0x7fffffffu) > 0x7f800000u)` },
  IsInf: { cost: 1, code: ([x]) => `((bitcast<u32>(${x}) & 0x7fffffffu) == 0x7f800000u)` },
  IsFinite: { cost: 1, code: ([x]) => `((bitcast<u32>(${x}) & 0x7f800000u) != 0x7f800000u)` },
  Gelu: call('gelu', 14),
  GeluGrad: { cost: 20, code: ([dy, x]) => `(${dy} * geluSlope(${x}))` },
  Identity: { cost: 0, code: ([x]) => `${x}` },
  Scale: { cost: 1, code: ([x], { by }) => `(${x} * ${literal(by as number)})` },
  Cast: {
    cost: 1,
    code: ([x], { dtype }, from) => {
      const to = typeOf(dtype as string)
      if (typeOf(from) === to) return `${x}`
      if (to === 'bool') return `(${x} != ${typeOf(from)}(0))`
      return typeOf(from) === 'bool' ? chosen((given) => given, to).code([x as string], {}, from) : `${to}(${x})`
    },
  },
}
