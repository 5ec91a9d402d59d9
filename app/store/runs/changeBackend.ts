import { MixlabError } from '../../../engine/errors.ts'
import { wentOnOn } from '../../../engine/records/backends.ts'
import type { RunStatus } from '../../../engine/records/run.ts'
import type { Database } from '../database.ts'
import { unknownRun } from '../run.ts'

/**
 * Lets interrupted runs go on on another backend than the one that trained them, which their `backend` tells from then on:
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
      database.run('update run set backend = ? where id = ?', wentOnOn(run.backend, backend), id)
    }
  })
}
