/** Functions of WGSL that kernels call, by name; those that a function calls stand before it. */
const FUNCTIONS: Record<string, { needs?: string[]; code: string }> = {
  // the approximation of the simd backend, within 1.4e-7; beyond 5.6 it counts as 0 or 1
  phi: {
    code: `fn phi(x: f32) -> f32 {
  let t = clamp(x, -5.6, 5.6);
  let s = t * t;
  let p = ((((2.21458922e-8 * s + 6.3564111e-6) * s + 1.73839059e-4) * s + 4.70718704e-3) * s + 3.43750029e-2) * s + 0.398942222;
  let q = ((((1.1802202e-6 * s + 7.50979852e-5) * s + 1.9129118e-3) * s + 2.89394438e-2) * s + 0.252831068) * s + 1.0;
  return max(0.5 + t * p / q, 0.0);
}`,
  },
  gelu: { needs: ['phi'], code: 'fn gelu(x: f32) -> f32 { return x * phi(x); }' },
  geluSlope: {
    needs: ['phi'],
    code: `fn geluSlope(x: f32) -> f32 {
  let t = clamp(x, -5.6, 5.6);
  return phi(x) + t * 0.398942280 * exp(-0.5 * t * t);
}`,
  },
  erf: { needs: ['phi'], code: 'fn erf(x: f32) -> f32 { return 2.0 * phi(x * 1.41421356) - 1.0; }' },
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
  // the angle of the point (x, y), as atan2 has it
  arcTangent2: {
    needs: ['arcTangent'],
    code: `fn arcTangent2(y: f32, x: f32) -> f32 {
  if (x == 0.0) { return sign(y) * 1.57079633; }
  let turn = select(-3.14159265, 3.14159265, y >= 0.0);
  return arcTangent(y / x) + select(0.0, turn, x < 0.0);
}`,
  },
  // rounded down
  wholeQuotient: {
    code: `fn wholeQuotient(a: i32, b: i32) -> i32 {
  return a / b - select(0, 1, a % b != 0 && ((a < 0) != (b < 0)));
}`,
  },
  sigmoid: { code: 'fn sigmoid(x: f32) -> f32 { return 1.0 / (1.0 + exp(-x)); }' },
  softplus: { code: 'fn softplus(x: f32) -> f32 { return max(x, 0.0) + log(1.0 + exp(-abs(x))); }' },
  power: {
    code: `fn power(x: f32, y: f32) -> f32 {
  let p = pow(abs(x), y);
  return select(p, -p, x < 0.0 && abs(y) % 2.0 == 1.0);
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
