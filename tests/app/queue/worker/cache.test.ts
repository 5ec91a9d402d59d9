import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { namesOf } from '../../../../app/queue/names.ts'
import { nameOf, putObject } from '../../../../app/queue/objects.ts'
import { openCache } from '../../../../app/queue/worker/cache.ts'
import { freshFolder } from '../../store/samples.ts'
import { skipLine, startServer } from '../server.ts'

it.skipIf(skipLine())('data of a job are there where the disk takes none of them, which is said once', async () => {
  const server = await startServer()
  const folder = freshFolder()
  onTestFinished(async () => {
    await server.close()
  })
  const names = namesOf('w')
  const said: string[] = []
  const cache = openCache(folder, (line) => said.push(line))
  for (const bytes of [Buffer.from('one'), Buffer.from('two')]) {
    const name = nameOf(bytes)
    symlinkSync(join(folder, 'none', 'at all'), join(folder, name.sha256.slice(0, 2))) // where its folder would be
    await putObject(server.redis, names.data, name, bytes)
    const got = await cache(server.redis, names, name, new AbortController().signal)
    expect(Buffer.from(got)).toEqual(bytes)
  }
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('notebooks and data are not kept here')
})
