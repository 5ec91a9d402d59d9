import type { LanguageCalls } from '../protocol.ts'
import { complete, describe, importOf } from './complete.ts'
import { definition } from './definition.ts'
import { hover, signature } from './describe.ts'
import { createFiles } from './files.ts'
import { fixes } from './fixes.ts'
import { freed } from './freed.ts'
import { problems } from './problems.ts'
import { rename, renameable } from './rename.ts'

/** What TypeScript knows of the cells of a notebook; `declarations` are those of `collectDeclarations`. */
export function createLanguage(declarations: Readonly<Record<string, string>>): LanguageCalls {
  const files = createFiles(declarations)
  return {
    setCells: files.setCells,
    complete: quiet([], (...place) => complete(files, ...place)),
    describe: quiet(null, (...completion) => describe(files, ...completion)),
    importing: quiet([], (...completion) => importOf(files, ...completion)),
    fixes: quiet([], (...part) => fixes(files, ...part)),
    hover: quiet(null, (...place) => hover(files, ...place)),
    signature: quiet(null, (...place) => signature(files, ...place)),
    definition: quiet([], (...place) => definition(files, ...place)),
    renamed: quiet(null, (...place) => renameable(files, ...place)),
    rename: quiet({ refused: 'the cells are too deeply nested' }, (...place) => rename(files, ...place)),
    problems: quiet([], (key) => problems(files, key)),
    freed,
  }
}

/** A call that knows nothing where the compiler runs out of stack: on types, say, that are deeper than their text. */
function quiet<Given extends unknown[], Found>(nothing: Found, call: (...given: Given) => Found) {
  return (...given: Given): Found => {
    try {
      return call(...given)
    } catch (error) {
      if (error instanceof RangeError) return nothing
      throw error
    }
  }
}
