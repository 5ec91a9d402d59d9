import type { Head } from '../../../app/queue/frames.ts'
import { ownVersions } from '../../../app/queue/job.ts'
import { environmentOn } from '../../../engine/records/environment.ts'

const machine = {
  mixlab: ownVersions.mixlab,
  runtime: 'node',
  platform: 'linux',
  architecture: 'x64',
  cores: 1,
  threads: 1,
}
/** What a worker says of itself that this version believes. */
export const head: Head = {
  ...{ machine: 'm', backend: 'simd', device: 'd', environment: environmentOn(machine), canary: 'c' },
  ...ownVersions,
}
