import { buildStale } from '../../app/build.ts'

/** Builds the page once, before the servers of the tests would. */
export default function build(): Promise<void> {
  return buildStale(console.log)
}

if (import.meta.main) await build()
