import { MixlabError } from '../../../engine/errors.ts'
import { continuedOnBackend } from '../../../engine/records/backends.ts'
import type { RunStatus } from '../../../engine/records/run.ts'
import type { Database } from '../database.ts'
import { unknownRun } from '../run.ts'

/**
 * Lets interrupted runs continue on another backend than the one that trained them. Their `backend` then names both:
 * `webgl, simd`. Throws MixlabError `store` for an unknown run, or one that is not interrupted; then nothing is changed.
 */
export function changeBackend(database: Database, ids: number[], backend: string): void {
  database.write(() => {
    for (const id of new Set(ids)) {
      const run = database.get<{ status: RunStatus; backend: string }>(
        'select status, backend from run where id = ?',
        id,
      )
      if (!run) throw unknownRun(id)
      if (run.status !== 'interrupted') throw new MixlabError('store', `run ${id}`, `is ${run.status}, not interrupted`)
      database.run('update run set backend = ? where id = ?', continuedOnBackend(run.backend, backend), id)
    }
  })
}
