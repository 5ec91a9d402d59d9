const sources = import.meta.glob<string>('../../engine/models/*.ts', { query: '?raw', import: 'default', eager: true })

/** A block that comes with Mixlab, with its source as the text of a cell. */
export interface Builtin {
  name: string
  source: string
}

/** The built-in blocks, by name. */
export const BUILTINS: readonly Builtin[] = Object.values(sources).flatMap((text) => {
  const [, name] = /^export const (\w+) = block\(/m.exec(text) ?? []
  return name ? [{ name, source: asCell(text, name) }] : []
})

/** The built-in block that a cell says it was forked from. */
export function forkedFrom(source: string): Builtin | null {
  const [, name] = /^\/\/ Forked from the built-in (\w+)\n/.exec(source) ?? []
  return BUILTINS.find((builtin) => builtin.name === name) ?? null
}

/** A file of the engine's models as a cell: it imports from the modules that cells have. */
function asCell(text: string, name: string): string {
  const body = text
    .replace(/from '\.\.?\/[^']*'/g, "from 'mixlab'")
    .replace("from '@tensorflow/tfjs-core'", "from '@tensorflow/tfjs'")
  return `// Forked from the built-in ${name}\n${body.trim()}`
}
