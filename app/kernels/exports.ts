import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const assembly = resolve(import.meta.dirname, '../../engine/backends/simd/assembly')

/** A function that the compiled kernels export. */
interface ExportedFunction {
  name: string
  /** Its file below assembly/. */
  file: string
  parameters: { name: string; type: string }[]
  result: string
}

const FUNCTION = /^export function (\w+)\(([^)]*)\): (\w+)/gm

/** What assembly/index.ts exports, in its order; with `*` all functions of a file. */
export function exportedFunctions(): ExportedFunction[] {
  const read = (file: string) => functionsOf(file, readFileSync(resolve(assembly, `${file}.ts`), 'utf8'))
  const index = readFileSync(resolve(assembly, 'index.ts'), 'utf8')
  const listed = [...index.matchAll(/^export (?:\*|\{ (.*) \}) from '\.\/(.*)'/gm)].flatMap(([, names, file = '']) => {
    const all = read(file)
    if (!names) return all
    return names.split(', ').map((name) => {
      const found = all.find((each) => each.name === name)
      if (!found) throw new Error(`assembly/${file}.ts has no exported function '${name}'`)
      return found
    })
  })
  return [...listed, ...functionsOf('index', index)]
}

function functionsOf(file: string, source: string): ExportedFunction[] {
  return [...source.matchAll(FUNCTION)].map(([, name = '', parameters = '', result = '']) => ({
    name,
    file,
    parameters: [...parameters.matchAll(/(\w+): (\w+)/g)].map(([, own = '', type = '']) => ({ name: own, type })),
    result,
  }))
}

/** Those that a call can name: they give nothing back and leave the threads alone. */
function callable({ parameters, result }: ExportedFunction): boolean {
  return result === 'void' && parameters[0]?.name !== 'pool'
}

/** The declarations of the compiled kernels, for binary.ts. */
export function declarationsText(): string {
  const functions = exportedFunctions()
  const signatures = functions.map(({ name, parameters, result }) => {
    const given = parameters.map((parameter) => `${parameter.name}: number`).join(', ')
    return `  ${name}(${given}): ${result === 'void' ? 'void' : 'number'}`
  })
  const calls = functions.filter(callable).map(({ name }) => `'${name}'`)
  return `/** The compiled kernels; assembly/ says what each does. Addresses are bytes, sizes count elements, flags are 0 or 1. */
export interface Exports {
${signatures.join('\n')}
}

/** The kernels that a call can name, by number. */
export const CALLS = [${calls.join(', ')}] as const
`
}

/** assembly/table.ts: how each of them takes its operands. */
export function tableText(): string {
  const functions = exportedFunctions().filter(callable)
  const imports = Map.groupBy(functions, ({ file }) => file)
  const take = (type: string) => (type.startsWith('f') ? (type === 'f32' ? '<f32>f()' : 'f()') : 'i()')
  return `// Made by \`npm run kernels\` from index.ts.
${[...imports].map(([file, some]) => `import { ${some.map(({ name }) => name).join(', ')} } from './${file}'`).join('\n')}
import { f, i } from './operands'

/** By the number of a kernel in CALLS of binary.ts: calls it with the operands that come next. */
export const KERNELS: StaticArray<() => void> = [
${functions.map(({ name, parameters }) => `  () => ${name}(${parameters.map(({ type }) => take(type)).join(', ')}),`).join('\n')}
]
`
}
