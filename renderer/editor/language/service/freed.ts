import { edited } from '../edits.ts'
import { createFiles } from './files.ts'
import { namesInText } from './names.ts'
import { rename } from './rename.ts'

const KEY = 'text'

/** A text that defines none of the names in `taken`: its `gmlp` becomes `myGmlp`, or `myGmlp2`. Imports stay. */
export function freed(source: string, taken: readonly string[]): string {
  const files = createFiles(null)
  const used = new Set([...taken, ...namesInText(source).words])
  let text = source
  for (const name of taken) {
    const { defines, imported } = namesInText(text)
    const at = defines.get(name)
    if (at === undefined || imported.has(name)) continue
    files.setCells([KEY], [{ key: KEY, source: text }])
    const other = unused(name, used)
    used.add(other)
    const result = rename(files, KEY, at, other)
    if ('edits' in result) text = edited(text, result.edits)
  }
  return text
}

function unused(name: string, used: Set<string>): string {
  const mine = `my${name.charAt(0).toUpperCase()}${name.slice(1)}`
  if (!used.has(mine)) return mine
  for (let n = 2; ; n++) if (!used.has(`${mine}${n}`)) return `${mine}${n}`
}
