import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type ClaimVerdict,
  costText,
  foundText,
  LEFT_OUT,
  PAPERS,
  type PaperName,
  type PartResult,
  planText,
  type Results,
  VERDICTS,
  verdictText,
} from '../../engine/claims/index.ts'
import { plural } from '../../engine/study/statistics/index.ts'
import { fileOf } from './notebooks.ts'

/** The document that says what became of the claims. */
export const PAPERS_FILE = resolve(import.meta.dirname, '../../docs/papers.md')

const HEAD = `# What the papers claim

Claims of the papers, and what became of each at the size of a desktop. This page is written by \`npm run experiments -- --update\` from the results beside the notebooks; [CONTRIBUTING.md](../CONTRIBUTING.md) says how a claim is added. In the application it is the page *Papers*, with filters.

A part of a claim is *found* where a difference is shown as the paper says, *found otherwise* where one is shown that has the other sign, or that the paper says there is not, *equal within the margin* where it is shown to be smaller than the smallest difference that matters, and *open* where nothing is shown; then it is said what would decide it. It is *screening*, and counts as none of these, where a variant that decides it does not pass what a simple model reaches on the same data: chance, nearest class mean, logistic regression, or the bigram of a text. What was planned before the training is in the last column: the margin, the power to show a difference as large as that, and the power to show that there is none. The seeds of the pilot runs, from which these are, are none of the seeds that count. A difference is the first number less the second, with its 95% interval, in the unit of the metric; where a question needs more than two models, there is the difference alone. [statistics.md](statistics.md) says how they are tested, and [findings.md](findings.md) what holds and what does not.`

/** What a notebook of a claim came to. */
export interface NamedResults {
  name: string
  results: Results
}

/** Those of some ready notebooks that have results, in the order given. */
export function readResults(names: readonly string[]): NamedResults[] {
  return names.flatMap((name) => {
    const results = storedResults(name)
    return results ? [{ name, results }] : []
  })
}

/** The results beside a ready notebook; null where there are none yet. */
export function storedResults(name: string): Results | null {
  try {
    return JSON.parse(readFileSync(fileOf(name, 'json'), 'utf8')) as Results
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The document, of the results of claims; other results are not in it. */
export function papersText(all: readonly NamedResults[]): string {
  const claims = all.flatMap(({ name, results }) => (results.claim ? [{ name, results, claim: results.claim }] : []))
  const parts = claims.flatMap(({ claim }) => claim.parts)
  const of = (verdict: ClaimVerdict) => parts.filter((part) => part.verdict === verdict).length
  const counts = VERDICTS.filter((verdict) => verdict !== 'screening').map((verdict) => `${of(verdict)} ${verdict}`)
  const sections = (Object.keys(PAPERS) as PaperName[]).flatMap((paper) => {
    const own = claims.filter(({ claim }) => claim.paper === paper)
    const { title, authors, url } = PAPERS[paper]
    const texts = own.map(({ name, results, claim }) => claimText(name, results, claim))
    return own.length === 0 ? [] : [`## [${title}](${url}), ${authors}`, ...texts]
  })
  const sum = `${plural(claims.length, 'claim')} with ${plural(parts.length, 'part')}: ${counts.join(', ')}; ${of('screening')} screening, which count as none of these.`
  return `${[HEAD, sum, ...sections, leftOutText()].join('\n\n')}\n`
}

/** What no notebook tries, and why. */
function leftOutText(): string {
  const rows = LEFT_OUT.map(({ paper, where, claim, why }) => {
    const { title, url } = PAPERS[paper]
    return `| [${title}](${url}), ${where} | ${claim} | ${why} |`
  })
  return [
    '## What is not tried',
    ['| the paper | its claim | why not |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}

function claimText(name: string, results: Results, claim: NonNullable<Results['claim']>): string {
  const { question, where, parts } = claim
  const facts = [
    `${where.charAt(0).toUpperCase()}${where.slice(1)}.`,
    `${costText(results)}; ${results.backend}, numerics ${results.numerics}, Mixlab ${results.version}.`,
    `[The notebook](../experiments/${name}.ts): \`npx mixlab run experiments/${name}.ts\`.`,
  ]
  const head = '| asked | the paper | here | verdict | plan |\n| --- | --- | --- | --- | --- |'
  return [`### ${question}`, facts.join(' '), [head, ...parts.map(rowOf)].join('\n')].join('\n\n')
}

function rowOf(part: PartResult): string {
  const { study, of, metric, figures } = part
  return `| ${study}: ${of} (${metric}) | ${figures} | ${foundText(part)} | ${verdictText(part)} | ${planText(part)} |`
}
