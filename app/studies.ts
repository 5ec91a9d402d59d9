import * as tf from '@tensorflow/tfjs'
import * as mixlab from '../engine/index.ts'
import { evaluateAll } from '../engine/notebook/index.ts'
import type { Study } from '../engine/study/compare.ts'
import { studiesIn as studiesAmong } from '../engine/study/studies.ts'

/** Evaluates a notebook and gives the studies that it defines. What its cells print goes to `print`. Throws MixlabError. */
export async function studiesIn(notebook: string, print: (line: string) => void): Promise<Study[]> {
  const log = (...values: unknown[]) => print(values.map(String).join(' '))
  const console = { debug: log, log, info: log, warn: log, error: log }
  const modules = { mixlab, '@tensorflow/tfjs': tf }
  const definitions = await evaluateAll(notebook, modules, { console })
  return studiesAmong([...definitions.values()].map(({ value }) => value))
}
