import type { LanguageCalls } from '../protocol.ts'
import { complete, describe, importOf } from './complete.ts'
import { definition } from './definition.ts'
import { createFiles } from './files.ts'
import { fixes } from './fixes.ts'
import { freed } from './freed.ts'
import { hover } from './hover.ts'
import { problems } from './problems.ts'
import { rename, renameable } from './rename.ts'
import { signature } from './signature.ts'

/** What TypeScript knows of the cells of a notebook; `declarations` are those of `collectDeclarations`. */
export function createLanguage(declarations: Readonly<Record<string, string>>): LanguageCalls {
  const files = createFiles(declarations)
  return {
    setCells: files.setCells,
    complete: (...place) => complete(files, ...place),
    describe: (...completion) => describe(files, ...completion),
    importing: (...completion) => importOf(files, ...completion),
    fixes: (...part) => fixes(files, ...part),
    hover: (...place) => hover(files, ...place),
    signature: (...place) => signature(files, ...place),
    definition: (...place) => definition(files, ...place),
    renamed: (...place) => renameable(files, ...place),
    rename: (...place) => rename(files, ...place),
    problems: (key) => problems(files, key),
    freed,
  }
}
