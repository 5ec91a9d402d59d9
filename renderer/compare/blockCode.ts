import { exportOf } from '../../engine/study/builtIn.ts'
import { BUILTINS } from '../editor/builtins.ts'

/** The code of a run's block; of a built-in one the source that comes with this version of Mixlab. */
export function blockCode(code: string): string {
  const [, block] = /^\/\/ built in: (\w+)$/.exec(code) ?? []
  const known = block && BUILTINS.find(({ name }) => name === exportOf(block))
  return known ? known.source.replace(/^.*\n/, `${code}\n`) : code
}
