/** A sort of function that a cell can define and that decides numbers: code in which `K` is what it captures. */
export interface Kind {
  /** What the study of it trains: pictures, pairs of texts, or masked texts. */
  task: 'image' | 'pair' | 'mlm'
  /** Expressions of `K`, each of which does something else for each number that it may be. */
  uses: string[]
  /** From 1 to 9 by default. */
  numbers?: number[]
  /** The code of `make`, a function of `K` that gives a block, a metric or a task called `name`; USE is the expression. */
  make: string
}

const stem = (use: string) => `block('NAME', {}, (x) => add(x, x), { text: { ...usualFrames.text,
  stem(ids, size, inputs, { types, mask }) {
    const table = embedding(ids, inputs, size.dim, { name: 'embed' })
    const local = types && mask ? add(table, tf.expandDims(tf.cast(${use}, 'float32'), -1)) : table
    return local
  } } })`

/** All sorts, by name. Names such as `local` stand for ones that the pairs change. */
export const KINDS: Record<string, Kind> = {
  block: {
    task: 'image',
    uses: [
      'mul(x, K)',
      'add(x, K / 8)',
      "dense(x, size.dim, { name: 'd' + K })",
      'dense(dense(x, K), size.dim)',
      'add(x, tf.tensor1d([1, K, 3, 4]))',
      'tf.clipByValue(x, -K, K)',
      'layerNorm(x, { eps: K / 100 })',
      'K < 5 ? gelu(mul(x, K)) : relu(mul(x, K))',
      'x.shape[0] > 1 ? mul(x, K) : x',
      'x.shape[0] === 128 ? mul(x, K) : x',
      'Array.from({ length: K }).reduce((sum) => add(sum, x), x)',
      'tf.mul(x, tf.scalar(K))',
    ],
    make: "block('NAME', (x, size) => {\n  const local = x\n  return add(local, USE)\n})",
  },
  initialValues: {
    task: 'image',
    uses: [
      'normal(K / 100)',
      'uniform(K)',
      'constant(K)',
      '(n) => new Float32Array(n).fill(K)',
      '(n) => Float32Array.from({ length: n }, (_, i) => i === n - 1 ? K : 0)',
    ],
    make: "block('NAME', (x, { dim }) => {\n  const local = dense(x, dim, { weight: USE })\n  return add(x, local)\n})",
  },
  parameters: {
    task: 'image',
    numbers: [1, 8],
    uses: ['{ decay: K < 5 }', '{ trained: K < 5 }', '{ decay: true, trained: K > 4 }'],
    make: "block('NAME', (x, { dim }) => {\n  const local = parameter('w', [dim, dim], normal(1), USE)\n  return add(x, mul(x, tf.sum(local)))\n})",
  },
  training: {
    task: 'image',
    uses: [
      'dropout(x, K / 10)',
      "scope('place', 's' + K, () => dropout(x, 0.5))",
      'batchNorm(x, { momentum: K / 10 })',
      'batchNorm(x, { eps: K / 10 })',
    ],
    make: "block('NAME', (x) => {\n  const local = USE\n  return add(x, local)\n})",
  },
  gradient: {
    task: 'image',
    uses: ['mul(dy, K)', 'tf.clipByValue(dy, -K, K)', 'K > 8 ? dy : mul(dy, K)'],
    make: "block('NAME', (x, { dim }) => {\n  const local = tf.customGrad((y) => ({ value: y.clone(), gradFunc: (dy) => USE }))\n  return add(x, local(dense(x, dim)))\n})",
  },
  wrapper: {
    task: 'image',
    uses: [
      'gmlp.run(mul(x, K), { ...gmlp.defaults, ...size })',
      'mul(inner.run(x, size), K)',
      'inner.run(x, { ...size, eps: K / 100 })',
    ],
    make: "block('NAME', (x, size) => {\n  const inner = block('inner', (y, { eps }) => layerNorm(y, { eps }))\n  const local = USE\n  return add(x, local)\n})",
  },
  imageStem: {
    task: 'image',
    uses: ['mul(images, K)', 'sub(images, K / 4)'],
    make: "block('NAME', {}, (x) => add(x, x), { image: { ...usualFrames.image, stem: (images, size, n, extras) => {\n  const local = USE\n  return usualFrames.image.stem(local, size, n, extras)\n} } })",
  },
  imageHead: {
    task: 'image',
    uses: ['mul(mean(x, 1), K)', 'mean(mul(x, K), 1)'],
    make: "block('NAME', {}, (x) => add(x, x), { image: { ...usualFrames.image, head: (x, size, classes) => {\n  const local = USE\n  return dense(local, classes, { name: 'head' })\n} } })",
  },
  textStem: {
    task: 'pair',
    uses: [
      'mul(types, K)',
      'tf.mul(mask, K)',
      'tf.add(tf.mul(types, K), tf.mul(mask, 2))',
      'tf.where(tf.equal(types, 1), tf.fill(ids.shape, K), tf.zerosLike(mask))',
    ],
    make: stem('USE'),
  },
  classHead: {
    task: 'pair',
    numbers: [1, 2, 3, 4, 5, 6, 7],
    uses: ['mul(pool(x), K)', 'tf.reshape(tf.slice(x, [0, K, 0], [-1, 1, -1]), [-1, size.dim])'],
    make: "block('NAME', {}, (x) => add(x, x), { text: { ...usualFrames.text, classHead(x, size, classes, pool) {\n  const local = USE\n  return dense(local, classes, { name: 'head' })\n} } })",
  },
  maskedHead: {
    task: 'mlm',
    uses: ['mul(x, K)', 'x.shape[1] < 8 ? mul(x, K) : x'],
    make: "block('NAME', {}, (x) => add(x, x), { text: { ...usualFrames.text, head(x, size, outputs) {\n  const local = USE\n  return dense(local, outputs, { name: 'head' })\n} } })",
  },
  readsValues: {
    task: 'image',
    uses: ['mul(x, K)', 'add(x, K)'],
    make: "block('NAME', (x) => {\n  const local = x.dataSync()[0] > 0 ? USE : x\n  return add(x, local)\n})",
  },
  layer: {
    task: 'image',
    uses: ['mul(x, size.layer + K)', 'size.layer < 1 ? mul(x, K) : x', 'add(x, size.depth * K)'],
    make: "block('NAME', (x, size) => {\n  const local = USE\n  return add(x, local)\n})",
  },
  stem: {
    task: 'image',
    uses: [
      'mul(images, K)',
      'tf.clipByValue(images, -K / 10, K / 10)',
      'images.dataSync()[0] < 9 ? mul(images, K) : images',
    ],
    make: "gmlp({ stem: stem('NAME', (images, { patch, dim }) => {\n  const local = USE\n  return patchEmbed(local, patch, dim)\n}) })",
  },
  stemOfTexts: {
    task: 'pair',
    uses: ['mul(types, K)', 'tf.mul(mask, K)'],
    make: "gmlp({ stem: stem('NAME', (ids, { dim }, inputs, { types, mask }) => {\n  const table = embedding(ids, inputs, dim, { name: 'embed' })\n  const local = types && mask ? USE : ids\n  return add(table, tf.expandDims(tf.cast(local, 'float32'), -1))\n}) })",
  },
  head: {
    task: 'image',
    uses: ['mul(mean(x, 1), K)', 'mean(mul(x, K), 1)', 'mean(x.dataSync()[0] < 9 ? mul(x, K) : x, 1)'],
    make: "mixer({ head: head('NAME', (x, size, classes) => {\n  const local = USE\n  return dense(local, classes)\n}) })",
  },
  stack: {
    task: 'image',
    uses: ['mul(x, K)', 'dense(dense(x, K), size.dim)', 'x.dataSync()[0] < 9 ? mul(x, K) : x'],
    make: "stack('NAME', [mixer, block('inner', (x, size) => {\n  const local = USE\n  return add(x, local)\n})])({ depth: 2 })",
  },
  stages: {
    task: 'image',
    uses: ['mul(x, K)', 'add(x, K)', 'x.dataSync()[0] < 9 ? mul(x, K) : x'],
    make: "stages('NAME', [{ block: mixer, depth: 1 }, { block: mixer, depth: 1, dim: 6, merge: (x, { dim }) => {\n  const local = USE\n  return patchMerge(local, dim)\n} }])",
  },
  sizesOfStages: {
    task: 'image',
    uses: [
      '{ block: mixer, depth: K }',
      '{ block: mixer, depth: 1, dim: K }',
      '{ block: mixer({ tokenRatio: K }), depth: 1 }',
      '{ block: gmlp, depth: 1, ffn: 2 * K }',
      '{ block: stack(String(1), [mixer, gmlp]), depth: 2 * K }',
    ],
    make: "stages('NAME', [{ block: gmlp, depth: 1 }, USE])({ stem: stem('reads', (images, { patch, dim }) => {\n  const local = images.dataSync()[0] < 9 ? images : mul(images, 2)\n  return patchEmbed(local, patch, dim)\n}) })",
  },
  metric: {
    task: 'image',
    uses: [
      'K',
      'K + prediction.length',
      'Math.min(K, 3 + K)',
      '[1, 2].reduce((a, b) => a + b * K, 0)',
      'values.target[0] > 99 ? 1 : K',
      'K * 1e-9',
    ],
    make: "metric('m', { better: 'higher' }, () => {\n  let local = 0\n  return { add(prediction, values) { local += USE }, value: () => local }\n})",
  },
  loss: {
    task: 'image',
    uses: ['mul(y, K)', 'mul(crossEntropy(y, target), K)', 'y.dataSync()[0] > 99 ? y : mul(y, K)'],
    make: "task('NAME', { base: image({ data: shapes({ train: 16, test: 4, size: 16 }) }), loss: (y, target) => {\n  const local = USE\n  return mean(local)\n} })",
  },
  taskOnData: {
    task: 'image',
    uses: [
      'mul(x.image, K)',
      'x.image.shape[0] > 9 ? x.image : sub(x.image, K)',
      'tf.pad(x.image, [[0, 0], [0, 8 * K], [0, 0], [0, 0]])',
    ],
    make: "task('NAME', { data: shapes({ train: 16, test: 4, size: 16 }), input: (x) => {\n  const local = USE\n  return local\n} })",
  },
  meaning: {
    task: 'image',
    numbers: [1, 8],
    uses: [
      "{ better: 'higher', bounds: [0, K] }",
      "{ better: K < 5 ? 'lower' : 'higher' }",
      "{ better: 'lower', unit: ['u', K].join('') }",
    ],
    make: "metric('m', USE, () => {\n  let local = 0\n  return { add() { local += 1 }, value: () => local }\n})",
  },
  readout: {
    task: 'image',
    uses: [
      'K',
      'Math.max(K, -1)',
      "tf.mul(weights['head.weight'], K).size * K",
      'Object.keys(weights).length > 99 ? 1 : K',
      'data.train(K)',
    ],
    make: "readout('m', { when: 'evaluations' }, ({ weights, data }) => {\n  const local = USE\n  return Number(local)\n})",
  },
}
