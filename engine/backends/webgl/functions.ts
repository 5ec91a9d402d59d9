import * as tf from '@tensorflow/tfjs-core'

/**
 * Functions of GLSL; each calls only those above it. GLSL allows an error of 5e-4 for its own sine and arc tangent. Some stock
 * kernels lose small values: their log1p(1e-8) is 0. Others are NaN where the function is not, as relu at -Infinity. These are
 * off by less than 1e-5 of their value, but for sine and cosine of more than 10,000. The sources are webgpu/wgsl/functions.ts,
 * the Cephes library for the arc tangent, and Taylor series.
 */
const FUNCTIONS = `
bool isNegative(float x) { return (floatBitsToUint(x) & 0x80000000u) != 0u; }

float withSign(float y, float x) { return isNegative(x) ? -y : y; }

// the logarithm of (1 + s) / (1 - s), for s between -0.34 and 0.34
float logarithmOfRatio(float s) {
  float t = s * s;
  return 2.0 * s * (1.0 + t * (0.333333333 + t * (0.2 + t * (0.142857143 + t * (0.111111111 + t * (0.0909090909
    + t * 0.0769230769))))));
}

float logarithm(float x) {
  if (x <= 0.0) return x < 0.0 ? NAN : -INFINITE;
  return x > 0.55 && x < 1.8 ? logarithmOfRatio((x - 1.0) / (x + 1.0)) : log(x);
}

float logarithm1p(float x) { return x > -0.45 && x < 0.8 ? logarithmOfRatio(x / (2.0 + x)) : logarithm(1.0 + x); }

float exponentialMinus1(float x) {
  if (abs(x) > 0.5) return exp(x) - 1.0;
  return x * (1.0 + x * (0.5 + x * (0.166666667 + x * (0.0416666667 + x * (8.33333333e-3 + x * (1.38888889e-3
    + x * (1.98412698e-4 + x * 2.48015873e-5)))))));
}

float arcTangent(float x) {
  float a = abs(x);
  float base = 0.0;
  float z = a;
  if (a > 2.41421356) { base = 1.57079633; z = -1.0 / a; }
  else if (a > 0.414213562) { base = 0.785398163; z = (a - 1.0) / (a + 1.0); }
  float s = z * z;
  float p = ((8.05374449538e-2 * s - 0.138776856032) * s + 0.199777106478) * s - 0.333329491539;
  return withSign(base + (z + z * s * p), x);
}

// the angle of the point (x, y)
float arcTangent2(float y, float x) {
  float a = abs(x);
  float b = abs(y);
  float slope = a == b ? (a == 0.0 ? 0.0 : 1.0) : min(a, b) / max(a, b);
  float turn = arcTangent(slope);
  if (b > a) turn = 1.57079633 - turn;
  return withSign(isNegative(x) ? 3.14159265 - turn : turn, y);
}

// the sine of the angle whose cosine is x
float sineOf(float x) { return sqrt((1.0 - x) * (1.0 + x)); }

// the sine, ahead by so many quarters of a turn
float turned(float x, float quarters) {
  if (isinf(x)) return NAN;
  float turns = floor(x * 0.636619772 + 0.5);
  float r = ((x - turns * 1.5703125) - turns * 4.837512969970703e-4) - turns * 7.549789954891882e-8;
  r = clamp(r, -0.8, 0.8); // beyond 10,000 the turns are not exact
  float s = r * r;
  float sine = r + r * s * (-0.166666667 + s * (8.33333333e-3 + s * (-1.98412698e-4 + s * 2.75573192e-6)));
  float cosine = 1.0 + s * (-0.5 + s * (0.0416666667 + s * (-1.38888889e-3 + s * (2.48015873e-5 - s * 2.75573192e-7))));
  float quarter = mod(turns + quarters, 4.0);
  float y = mod(quarter, 2.0) > 0.5 ? cosine : sine;
  return quarter > 1.5 ? -y : y;
}

float halfOfExponential(float x) {
  float root = exp(0.5 * x);
  return 0.5 * root * root;
}

float hyperbolicTangent(float x) {
  float t = exponentialMinus1(-2.0 * abs(x));
  return withSign(-t / (t + 2.0), x);
}

float errorFunction(float x) {
  float t = clamp(x * 1.41421356, -5.6, 5.6);
  float s = t * t;
  float p = ((((2.21458922e-8 * s + 6.3564111e-6) * s + 1.73839059e-4) * s + 4.70718704e-3) * s + 3.43750029e-2) * s
    + 0.398942222;
  float q = ((((1.1802202e-6 * s + 7.50979852e-5) * s + 1.9129118e-3) * s + 2.89394438e-2) * s + 0.252831068) * s + 1.0;
  return clamp(2.0 * t * p / q, -1.0, 1.0);
}

// a division of GLSL may be off by a little
float quotient(float a, float b) { return a == b && a != 0.0 && !isinf(a) ? 1.0 : a / b; }

// with the sign of b
float remainder(float a, float b) {
  float x = abs(a);
  float y = abs(b);
  float rest = isinf(b) ? x : x - floor(x / y) * y;
  if (rest < 0.0) rest += y;
  if (rest >= y) rest -= y;
  if (rest <= 0.0 || rest >= y) return rest == rest ? withSign(0.0, b) : rest;
  return isNegative(a) == isNegative(b) ? withSign(rest, b) : b - withSign(rest, b);
}

float wholeQuotient(float a, float b) { return floor((a - remainder(a, b)) / b + 0.5); }

float power(float a, float b) {
  if (b == 0.0) return 1.0;
  bool isOdd = abs(mod(b, 2.0)) == 1.0;
  if (a == 0.0) return withSign(b < 0.0 ? INFINITE : 0.0, isOdd ? a : 0.0);
  if ((a < 0.0 && !isinf(a) && floor(b) != b) || (abs(a) == 1.0 && isinf(b))) return NAN;
  float p = b == 2.0 ? a * a : pow(abs(a), b);
  return a < 0.0 && isOdd ? -p : p;
}`.split('\n\n')

/** The functions that `code` calls, and those that they call. */
function functionsFor(code: string): string {
  const called = (all: string, each: string) => {
    const [, name] = /(\w+)\(/.exec(each) as unknown as [string, string]
    return all.includes(`${name}(`) ? `${each}\n${all}` : all
  }
  return FUNCTIONS.reduceRight(called, code).slice(0, -code.length)
}

/** Functions of one value by the names of their kernels, in GLSL. All are NaN of NaN. */
const UNARY: Record<string, string> = {
  Acos: 'abs(x) > 1.0 ? NAN : arcTangent2(sineOf(x), x)',
  Acosh: 'x < 1.0 ? NAN : x > 1e8 ? logarithm(x) + 0.693147181 : logarithm1p((x - 1.0) + sqrt((x - 1.0) * (x + 1.0)))',
  Asin: 'abs(x) > 1.0 ? NAN : arcTangent2(x, sineOf(x))',
  Asinh:
    'withSign(abs(x) > 1e8 ? logarithm(abs(x)) + 0.693147181 : logarithm1p(abs(x) + x * x / (1.0 + sqrt(1.0 + x * x))), x)',
  Atan: 'arcTangent(x)',
  Atanh:
    'abs(x) > 1.0 ? NAN : abs(x) == 1.0 ? withSign(INFINITE, x) : withSign(0.5 * logarithm1p(2.0 * abs(x) / (1.0 - abs(x))), x)',
  Cos: 'turned(x, 1.0)',
  Cosh: 'abs(x) > 20.0 ? halfOfExponential(abs(x)) : 0.5 * (exp(x) + exp(-x))',
  Elu: 'x < 0.0 ? exponentialMinus1(x) : x',
  Erf: 'errorFunction(x)',
  Expm1: 'exponentialMinus1(x)',
  Log: 'logarithm(x)',
  Log1p: 'logarithm1p(x)',
  Relu: 'x < 0.0 ? 0.0 : x',
  Relu6: 'x < 0.0 ? 0.0 : min(x, 6.0)',
  Selu: 'x < 0.0 ? 1.75809934 * exponentialMinus1(x) : 1.05070099 * x',
  Sin: 'turned(x, 0.0)',
  Sinh: 'abs(x) > 20.0 ? withSign(halfOfExponential(abs(x)), x) : 0.5 * (exponentialMinus1(x) - exponentialMinus1(-x))',
  Softplus: 'max(x, 0.0) + logarithm1p(exp(-abs(x)))',
  Tan: 'turned(x, 0.0) / turned(x, 1.0)',
  Tanh: 'hyperbolicTangent(x)',
}

/** Functions of one value with attributes. */
const WITH_ATTRIBUTES: Record<string, (attributes: tf.NamedAttrMap) => string> = {
  ClipByValue: ({ clipValueMin, clipValueMax }) => `clamp(x, float(${clipValueMin}), float(${clipValueMax}))`,
  LeakyRelu: ({ alpha }) => `x < 0.0 ? float(${alpha}) * x : x`,
}

/** Functions of two values, broadcast. */
const BINARY: Record<string, string> = {
  Atan2: 'arcTangent2(a, b)',
  FloorDiv: 'wholeQuotient(a, b)',
  Mod: 'remainder(a, b)',
  Pow: 'power(a, b)',
  Prelu: 'a < 0.0 ? a * b : a',
  RealDiv: 'quotient(a, b)',
}

/** What is needed of the backend `webgl` of tfjs. */
interface WebGlBackend {
  runWebGLProgram(program: object, inputs: tf.TensorInfo[], dtype: tf.DataType): tf.TensorInfo
}

/** A program that computes a function of one or two tensors value by value, four at once. */
function valueByValue(expression: string, outputShape: number[], names: string[]): object {
  const variableNames = names.map((name) => name.toUpperCase())
  const values = variableNames.map((name) => `vec4 of${name} = get${name}AtOutCoords();`)
  const channels = [...'xyzw'].map((channel) => `valueOf(${variableNames.map((name) => `of${name}.${channel}`)})`)
  const userCode = `
  #define INFINITE uintBitsToFloat(0x7f800000u)
  ${functionsFor(expression)}
  float valueOf(${names.map((name) => `float ${name}`)}) {
    return ${names.map((name) => `isnan(${name})`).join(' || ')} ? NAN : ${expression};
  }
  void main() {
    ${values.join(' ')}
    setOutput(vec4(${channels}));
  }`
  return { variableNames, outputShape, userCode, packedInputs: true, packedOutput: true }
}

/** Puts our kernels of functions in place of those of tfjs on `webgl`. */
export function replaceFunctions(): void {
  const replace = (kernelName: string, kernelFunc: tf.KernelFunc) => {
    tf.unregisterKernel(kernelName, 'webgl')
    tf.registerKernel({ kernelName, backendName: 'webgl', kernelFunc })
  }
  const unary = (expression: (attrs: tf.NamedAttrMap) => string): tf.KernelFunc => {
    return ({ inputs, attrs = {}, backend }) => {
      const { x } = inputs as { x: tf.TensorInfo }
      const program = valueByValue(expression(attrs as tf.NamedAttrMap), x.shape, ['x'])
      return (backend as WebGlBackend).runWebGLProgram(program, [x], x.dtype)
    }
  }
  for (const [kernelName, expression] of Object.entries(UNARY))
    replace(
      kernelName,
      unary(() => expression),
    )
  for (const [kernelName, expression] of Object.entries(WITH_ATTRIBUTES)) replace(kernelName, unary(expression))
  for (const [kernelName, expression] of Object.entries(BINARY)) {
    replace(kernelName, ({ inputs, backend }) => {
      const { x, alpha, a = x, b = alpha } = inputs as Record<'a' | 'b' | 'x' | 'alpha', tf.TensorInfo>
      const dtype = kernelName === 'FloorDiv' ? 'int32' : tf.upcastType(a.dtype, b.dtype)
      const whole = dtype === 'int32' ? `floor(${expression} + 0.5)` : expression
      const shape = tf.broadcast_util.assertAndGetBroadcastShape(a.shape, b.shape)
      return (backend as WebGlBackend).runWebGLProgram(valueByValue(whole, shape, ['a', 'b']), [a, b], dtype)
    })
  }
}
