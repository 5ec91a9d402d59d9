import { buildStale } from '../../app/start.ts'

/** Builds the page once, before the servers of the tests would; as for users, not as what vitest makes of a build. */
export default async function build(): Promise<void> {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  await buildStale(console.log)
  process.env.NODE_ENV = NODE_ENV
}
