/** Functions of WGSL that kernels call, by name; those that a function calls stand before it. */
const FUNCTIONS: Record<string, { needs?: string[]; code: string }> = {
  // the approximation of the simd backend, within 1.4e-7; beyond 5.6 it counts as 0 or 1
  oddPhi: {
    code: `fn oddPhi(x: f32) -> f32 {
  let t = clamp(x, -5.6, 5.6);
  let s = t * t;
  let p = ((((2.21458922e-8 * s + 6.3564111e-6) * s + 1.73839059e-4) * s + 4.70718704e-3) * s + 3.43750029e-2) * s + 0.398942222;
  let q = ((((1.1802202e-6 * s + 7.50979852e-5) * s + 1.9129118e-3) * s + 2.89394438e-2) * s + 0.252831068) * s + 1.0;
  return t * p / q;
}`,
  },
  phi: { needs: ['oddPhi'], code: 'fn phi(x: f32) -> f32 { return max(0.5 + oddPhi(x), 0.0); }' },
  gelu: { needs: ['phi'], code: 'fn gelu(x: f32) -> f32 { return x * phi(x); }' },
  geluSlope: {
    needs: ['phi'],
    code: `fn geluSlope(x: f32) -> f32 {
  let t = clamp(x, -5.6, 5.6);
  return phi(x) + t * 0.398942280 * exp(-0.5 * t * t);
}`,
  },
  erf: {
    needs: ['oddPhi'],
    code: 'fn erf(x: f32) -> f32 { return clamp(2.0 * oddPhi(x * 1.41421356), -1.0, 1.0); }',
  },
  // the logarithm of (1 + s) / (1 - s), for s between -0.34 and 0.34
  logarithmOfRatio: {
    code: `fn logarithmOfRatio(s: f32) -> f32 {
  let t = s * s;
  return 2.0 * s * (1.0 + t * (0.333333333 + t * (0.2 + t * (0.142857143 + t * (0.111111111 + t * (0.0909090909 + t * 0.0769230769))))));
}`,
  },
  // log of WGSL may be off by 5e-7 near 1, where it is small, and anything below 0
  logarithm: {
    needs: ['logarithmOfRatio'],
    code: `fn logarithm(x: f32) -> f32 {
  if (x <= 0.0) { return bitcast<f32>(nought | select(0xff800000u, 0x7fc00000u, x < 0.0)); }
  if (x > 0.55 && x < 1.8) { return logarithmOfRatio((x - 1.0) / (x + 1.0)); }
  return log(x);
}`,
  },
  logarithm1p: {
    needs: ['logarithm'],
    code: `fn logarithm1p(x: f32) -> f32 {
  if (x > -0.45 && x < 0.8) { return logarithmOfRatio(x / (2.0 + x)); }
  return logarithm(1.0 + x);
}`,
  },
  exponentialMinus1: {
    code: `fn exponentialMinus1(x: f32) -> f32 {
  if (abs(x) > 0.5) { return exp(x) - 1.0; }
  return x * (1.0 + x * (0.5 + x * (0.166666667 + x * (0.0416666667 + x * (8.33333333e-3 + x * (1.38888889e-3 + x * (1.98412698e-4 + x * 2.48015873e-5)))))));
}`,
  },
  halfOfExponential: {
    code: `fn halfOfExponential(x: f32) -> f32 {
  let root = exp(0.5 * x);
  return 0.5 * root * root;
}`,
  },
  hyperbolicSine: {
    needs: ['exponentialMinus1', 'halfOfExponential'],
    code: `fn hyperbolicSine(x: f32) -> f32 {
  if (abs(x) > 20.0) { return sign(x) * halfOfExponential(abs(x)); }
  return 0.5 * (exponentialMinus1(x) - exponentialMinus1(-x));
}`,
  },
  hyperbolicCosine: {
    needs: ['halfOfExponential'],
    code: `fn hyperbolicCosine(x: f32) -> f32 {
  if (abs(x) > 20.0) { return halfOfExponential(abs(x)); }
  return 0.5 * (exp(x) + exp(-x));
}`,
  },
  notANumber: { code: 'fn notANumber() -> f32 { return bitcast<f32>(nought | 0x7fc00000u); }' },
  areaSine: {
    needs: ['logarithm1p'],
    code: `fn areaSine(x: f32) -> f32 {
  let a = abs(x);
  if (a > 1e8) { return sign(x) * (log(a) + 0.693147181); }
  return sign(x) * logarithm1p(a + a * a / (1.0 + sqrt(1.0 + a * a)));
}`,
  },
  areaCosine: {
    needs: ['logarithm1p', 'notANumber'],
    code: `fn areaCosine(x: f32) -> f32 {
  if (x < 1.0) { return notANumber(); }
  if (x > 1e8) { return log(x) + 0.693147181; }
  return logarithm1p((x - 1.0) + sqrt((x - 1.0) * (x + 1.0)));
}`,
  },
  areaTangent: {
    needs: ['logarithm1p'],
    code: `fn areaTangent(x: f32) -> f32 {
  let a = abs(x);
  return sign(x) * 0.5 * logarithm1p(2.0 * a / (1.0 - a));
}`,
  },
  // tanh of WGSL overflows for large arguments on some cards
  hyperbolic: {
    code: `fn hyperbolic(x: f32) -> f32 {
  let a = abs(x);
  if (a < 0.25) {
    let s = x * x;
    return x * (1.0 + s * (-0.333333333 + s * (0.133333333 + s * (-0.0539682540 + s * 0.0218694885))));
  }
  let e = exp(-2.0 * min(a, 20.0));
  return sign(x) * (1.0 - e) / (1.0 + e);
}`,
  },
  // sin and cos of WGSL may be off by 5e-4; these are by less than 2e-7 where x is below 10,000
  turned: {
    code: `fn turned(x: f32, quarters: i32) -> f32 {
  let turns = round(x * 0.636619772);
  let r = ((x - turns * 1.5703125) - turns * 4.837512969970703e-4) - turns * 7.549789954891882e-8;
  let s = r * r;
  let sine = r + r * s * (-0.166666667 + s * (8.33333333e-3 + s * (-1.98412698e-4 + s * 2.75573192e-6)));
  let cosine = 1.0 + s * (-0.5 + s * (0.0416666667 + s * (-1.38888889e-3 + s * (2.48015873e-5 - s * 2.75573192e-7))));
  let quarter = (i32(turns) + quarters) & 3;
  let y = select(sine, cosine, (quarter & 1) == 1);
  return select(y, -y, quarter >= 2);
}`,
  },
  sine: { needs: ['turned'], code: 'fn sine(x: f32) -> f32 { return turned(x, 0); }' },
  cosine: { needs: ['turned'], code: 'fn cosine(x: f32) -> f32 { return turned(x, 1); }' },
  // atan of WGSL may be off by 5e-4; this one, of the Cephes library, is by less than 2e-7
  arcTangent: {
    code: `fn arcTangent(x: f32) -> f32 {
  let a = abs(x);
  var base = 0.0;
  var z = a;
  if (a > 2.41421356) { base = 1.57079633; z = -1.0 / a; }
  else if (a > 0.414213562) { base = 0.785398163; z = (a - 1.0) / (a + 1.0); }
  let s = z * z;
  let p = ((8.05374449538e-2 * s - 0.138776856032) * s + 0.199777106478) * s - 0.333329491539;
  return sign(x) * (base + z + z * s * p);
}`,
  },
  // the angle of the point (x, y), as atan2 has it, also for zeros with a sign
  arcTangent2: {
    needs: ['arcTangent'],
    code: `fn arcTangent2(y: f32, x: f32) -> f32 {
  let a = abs(x);
  let b = abs(y);
  var turn = arcTangent(min(a, b) / select(max(a, b), 1.0, max(a, b) == 0.0));
  if (b > a) { turn = 1.57079633 - turn; }
  turn = select(turn, 3.14159265 - turn, (bitcast<u32>(x) & 0x80000000u) != 0u);
  return select(turn, -turn, (bitcast<u32>(y) & 0x80000000u) != 0u);
}`,
  },
  arcSine: {
    needs: ['arcTangent2', 'notANumber'],
    code: `fn arcSine(x: f32) -> f32 {
  if (abs(x) > 1.0) { return notANumber(); }
  return arcTangent2(x, sqrt((1.0 - x) * (1.0 + x)));
}`,
  },
  arcCosine: {
    needs: ['arcTangent2', 'notANumber'],
    code: `fn arcCosine(x: f32) -> f32 {
  if (abs(x) > 1.0) { return notANumber(); }
  return arcTangent2(sqrt((1.0 - x) * (1.0 + x)), x);
}`,
  },
  // rounded down
  wholeQuotient: {
    code: `fn wholeQuotient(a: i32, b: i32) -> i32 {
  return a / b - select(0, 1, a % b != 0 && ((a < 0) != (b < 0)));
}`,
  },
  sigmoid: { code: 'fn sigmoid(x: f32) -> f32 { return 1.0 / (1.0 + exp(-x)); }' },
  softplus: {
    needs: ['logarithm1p'],
    code: 'fn softplus(x: f32) -> f32 { return max(x, 0.0) + logarithm1p(exp(-abs(x))); }',
  },
  power: {
    needs: ['notANumber'],
    code: `fn power(x: f32, y: f32) -> f32 {
  if (x < 0.0 && floor(y) != y) { return notANumber(); }
  var p = pow(abs(x), y);
  if (x == 0.0) { p = select(select(bitcast<f32>(nought | 0x7f800000u), 1.0, y == 0.0), 0.0, y > 0.0); }
  return select(p, -p, (bitcast<u32>(x) & 0x80000000u) != 0u && abs(y) % 2.0 == 1.0);
}`,
  },
  // Threefry-2x32 with 20 rounds; see engine/random.ts
  threefry: {
    code: `fn threefry(key: vec2u, counter: u32) -> vec2u {
  let k = array<u32, 3>(key.x, key.y, key.x ^ key.y ^ 0x1bd11bdau);
  var x = vec2u(counter, 0u) + key;
  var rotations = array<vec4u, 2>(vec4u(13u, 15u, 26u, 6u), vec4u(17u, 29u, 16u, 24u));
  for (var group = 0u; group < 5u; group++) {
    for (var i = 0u; i < 4u; i++) {
      let rotation = rotations[group % 2u][i];
      x.x += x.y;
      x.y = ((x.y << rotation) | (x.y >> (32u - rotation))) ^ x.x;
    }
    x.x += k[(group + 1u) % 3u];
    x.y += k[(group + 2u) % 3u] + group + 1u;
  }
  return x;
}`,
  },
  // a draw is (key, limit, bits of what is kept): 0 below the limit
  drawByBernoulli: {
    needs: ['threefry'],
    code: `fn drawByBernoulli(draw: vec4u, i: u32) -> f32 {
  let half = threefry(draw.xy, i / 4u)[(i / 2u) % 2u];
  return select(bitcast<f32>(draw.w), 0.0, select(half & 0xffffu, half >> 16u, i % 2u == 1u) < draw.z);
}`,
  },
  drawByUniform: {
    needs: ['threefry'],
    code: `fn drawByUniform(draw: vec4u, i: u32) -> f32 {
  return select(bitcast<f32>(draw.w), 0.0, threefry(draw.xy, i).x < draw.z);
}`,
  },
}

/** The code of the functions that `body` calls. */
export function functionsOf(body: string): string {
  const found = new Set<string>()
  const add = (name: string) => {
    for (const other of FUNCTIONS[name]?.needs ?? []) add(other)
    found.add(name)
  }
  for (const name of Object.keys(FUNCTIONS)) if (new RegExp(`\\b${name}\\(`).test(body)) add(name)
  return [...found].map((name) => FUNCTIONS[name]?.code).join('\n')
}
