import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { main } from '../../app/cli/terminal/main.ts'
import { PAPER_CELLS } from './paperStudies.ts'

const SIZES = {
  S: '{ dim: 12, ffn: 36, depth: 1 }',
  M: '{ dim: 20, ffn: 60, depth: 2 }',
  L: '{ dim: 40, ffn: 120, depth: 2 }',
}
const DEPTHS = [1, 2, 4, 6]
const EXAMPLES = [64, 256, 1024, 4096]
const RECIPES = [1e-3, 3e-3, 1e-2, 3e-2].flatMap((rate) => [16, 32, 64].map((batch) => ({ rate, batch })))

const variants = (pairs: [string, string][]) => pairs.map(([name, block]) => `'${name}': ${block}`).join(', ')

interface Cell {
  variants: string
  model?: string
  train?: string
  data?: string
  seeds?: number
}

function cell(name: string, { variants, model = '', train = '', data = '', seeds = 2 }: Cell, index: number): string {
  return `// %% study-${index}
export const study${index} = compare('${name}', {
  task: image({ data: shapes({ difficulty: 0.1, test: 200, ${data} }) }),
  model: { patch: 8, dim: 24, ffn: 72, depth: 2, ${model} },
  variants: { ${variants} },
  train: { steps: 100, batch: 32, evalEvery: 10, logEvery: 1, optimizer: adamw({ learningRate: 1e-2 }), ${train} },
  seeds: ${seeds},
})
`
}

/** Small studies, of the sorts that the charts show; all trained in some minutes, with those of the papers. No two have a run in common. */
const CELLS: Record<string, Cell> = {
  mixing: { variants: 'gmlp: gmlp(), mixer: mixer(), resmlp: resmlp(), vit: vit({ heads: 2 })', seeds: 4 },
  sizes: {
    seeds: 3,
    variants: variants(
      Object.entries(SIZES).flatMap(([size, options]) => [
        [`gMLP-${size}`, `gmlp(${options})`],
        [`Mixer-${size}`, `mixer(${options})`],
        [`ResMLP-${size}`, `resmlp(${options})`],
      ]),
    ),
  },
  depths: {
    model: 'dim: 16, ffn: 48',
    variants: variants(
      DEPTHS.flatMap((depth) => [
        [`gMLP, ${depth}`, `gmlp({ depth: ${depth} })`],
        [`Mixer, ${depth}`, `mixer({ depth: ${depth} })`],
      ]),
    ),
  },
  weights: {
    variants:
      'gmlp: gmlp(), mixer: mixer(), resmlp: resmlp(), vit: vit({ heads: 2 }), external: external({ slots: 16 })',
    model: 'patch: 4, dim: 32, ffn: 128, depth: 3',
    data: 'size: 32, train: 1024, difficulty: 0.4',
    train: 'steps: 240, evalEvery: 12, snapshots: 8, optimizer: adamw({ learningRate: 3e-3 })',
    seeds: 1,
  },
  crossed: {
    variants:
      "...factors({ lr: [1e-3, 3e-3, 1e-2], gate: ['linear', 'split'], depth: [1, 2] }, ({ lr, gate, depth }) => " +
      '({ block: gmlp({ gate, depth }), train: { optimizer: adamw({ learningRate: lr }) } }))',
    model: 'dim: 22',
    seeds: 3,
  },
  ...Object.fromEntries(
    EXAMPLES.map((train) => [
      `examples ${train}`,
      { variants: 'gmlp: gmlp(), mixer: mixer()', model: 'dim: 28', data: `train: ${train}` },
    ]),
  ),
  ...Object.fromEntries(
    RECIPES.map(({ rate, batch }) => [
      `recipe ${rate} ${batch}`,
      {
        variants: 'gmlp: gmlp(), mixer: mixer()',
        model: 'dim: 18',
        train: `steps: 80, batch: ${batch}, optimizer: adamw({ learningRate: ${rate} })`,
        seeds: 1,
      },
    ]),
  ),
}

export const NOTEBOOK = `// %% imports
import { adamw, amlp, bert, compare, external, factors, glyphs, gmlp, image, mixer, mlm, pair, permuted, resmlp, resnet } from 'mixlab'
import { shapes, vit, world } from 'mixlab'

${Object.entries(CELLS)
  .map(([name, given], index) => cell(name, given, index))
  .join('\n')}
${PAPER_CELLS}`

/** Trains what the store of `workspace` does not have yet. Throws where a study fails. */
export async function train(workspace: string): Promise<void> {
  mkdirSync(workspace, { recursive: true })
  const path = join(workspace, 'gallery.ts')
  writeFileSync(path, NOTEBOOK)
  const said: string[] = []
  const { signal } = new AbortController()
  const say = (line: string) => void said.push(line)
  const terminal = { out: say, err: say, redraw: null, signal, end: () => signal }
  const code = await main(['run', path, '--workspace', workspace], terminal)
  if (code !== 0) throw new Error(`training ended with ${code}:\n${said.join('\n')}`)
}
