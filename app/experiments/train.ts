import { availableParallelism } from 'node:os'
import {
  type ClaimPart,
  type ClaimResult,
  type Results,
  resultOfPart,
  type StudyResult,
} from '../../engine/claims/index.ts'
import { MixlabError } from '../../engine/errors.ts'
import { parseNotebook } from '../../engine/notebook/index.ts'
import { NUMERICS } from '../../engine/records/numerics.ts'
import manifest from '../../package.json' with { type: 'json' }
import { EXIT, type Terminal } from '../cli/command.ts'
import { main } from '../cli/terminal/main.ts'
import { type LocalHost, openHost } from '../host.ts'
import { claimIn, type PlannedClaim } from './claims.ts'
import { besideFloors } from './floors.ts'
import { makeWorkspace } from './notebooks.ts'
import { pilotRunsOf } from './pilot.ts'

/** The bits of it are the same on every machine. */
const BACKEND = 'simd'

/** What is trained of a notebook, and where. */
export interface Training {
  /** The workspace, whose store may have runs of it. */
  workspace: string
  /** Only this study; all of them without. */
  study?: string
  /** Only these variants; all of them without. */
  variants?: readonly string[]
  /** These seeds instead of its own. */
  seeds?: readonly number[]
  quick?: boolean | undefined
  /** Whether it is no error that runs fail: the others are done nevertheless. */
  someFail?: boolean | undefined
}

/** Trains studies of a notebook, where they are not in the store. Throws MixlabError where a run fails that may not. */
export async function train(path: string, of: Training, output: Terminal): Promise<StudyResult[]> {
  const { workspace, study, variants, seeds, quick, someFail } = of
  makeWorkspace(workspace)
  const lines: string[] = []
  const words = ['run', path, '--json', '--backend', BACKEND, '--workspace', workspace]
  const some = [
    ...(study === undefined ? [] : ['--study', study]),
    ...(variants ? ['--only', variants.join()] : []),
    ...(seeds ? ['--seeds', seeds.join()] : []),
    ...(quick ? ['--quick'] : []),
  ]
  const code = await main([...words, ...some], { ...output, out: (line) => lines.push(line) })
  if (code === EXIT.interrupted) throw new Interrupted()
  if (code !== 0 && !(someFail && code === EXIT.runsFailed))
    throw new MixlabError('notebook', path, `ended with exit code ${code}`)
  return lines.map((line): StudyResult => JSON.parse(line))
}

/** Ctrl-C: the same command goes on. */
export class Interrupted extends Error {}

/** What studies of a notebook came to, all of them or those that are trained yet, and its claim, if it makes one. */
export async function resultsOf(text: string, studies: readonly StudyResult[], workspace: string): Promise<Results> {
  const host = openHost({ workspace })
  const [claim, pilotMs] = await claimAndPilot(text, studies, host).finally(() => host.close())
  const results: Results = {
    version: manifest.version,
    backend: BACKEND,
    numerics: NUMERICS,
    seconds: Math.round(studies.reduce((sum, { ms }) => sum + ms, pilotMs) / 1000),
    threads: availableParallelism(),
    studies: studies.map(({ study, metric, rows, verdicts, answers = [] }) => ({
      ...{ study, metric, rows },
      verdicts: verdicts.map(({ variant, baseline, sentence }) => ({ variant, baseline, sentence })),
      answers: answers.flatMap(({ findings }) => findings.map(({ sentence }) => sentence)),
    })),
    ...(claim && { claim: decided(claim, headingOf(text), studies) }),
  }
  return claim ? besideFloors(results, claim) : results
}

/** The claim of a notebook, and how many ms the runs took that chose what its trained studies have. */
async function claimAndPilot(
  text: string,
  trained: readonly StudyResult[],
  host: LocalHost,
): Promise<[PlannedClaim | null, number]> {
  const claim = await claimIn(text, host)
  const studies = new Set(claim?.parts.map(({ study }) => study))
  let ms = 0
  for (const study of studies) {
    if (!trained.some((each) => each.study === study.name)) continue
    for (const run of (await pilotRunsOf(study, claim?.pilot ?? [], host)).done) ms += run.ms
  }
  return [claim, ms]
}

function decided(
  { paper, where, minutes, pilot, parts, plans }: PlannedClaim,
  question: string,
  studies: readonly StudyResult[],
): ClaimResult {
  const isTrained = ({ study: { name } }: ClaimPart) => studies.some(({ study }) => study === name)
  const left = new Set(parts.filter((part) => !isTrained(part)).map(({ study }) => study.name))
  const results = parts.flatMap((part, i) =>
    isTrained(part) ? [resultOfPart(part, plans[i] as (typeof plans)[number], studies)] : [],
  )
  return { question, paper, where, minutes, pilot, parts: results, ...(left.size > 0 && { left: [...left] }) }
}

/** The heading of a notebook. */
function headingOf(text: string): string {
  return /^# (.+)$/m.exec(parseNotebook(text)[0]?.source ?? '')?.[1] ?? ''
}
