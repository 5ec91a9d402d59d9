import { type ClaimResult, type ClaimVerdict, PAPERS, type PaperName, type Results } from '../../engine/claims/index.ts'

const RESULTS = import.meta.glob<Results>('../../experiments/*/*.json', { import: 'default', eager: true })
const TEXTS = import.meta.glob<string>('../../experiments/*/*.ts', { query: '?raw', import: 'default' })

/** The papers in the order in which they are shown. */
export const ORDER = Object.keys(PAPERS) as PaperName[]

/** A claim with what its notebook came to. */
export interface ShownClaim {
  /** `gmlp/gates` */
  name: string
  claim: ClaimResult
  results: Results
}

/** The claims that have results, paper by paper. */
export const CLAIMS: readonly ShownClaim[] = Object.entries(RESULTS)
  .flatMap(([path, results]) => (results.claim ? [{ name: nameOf(path), claim: results.claim, results }] : []))
  .sort((a, b) => ORDER.indexOf(a.claim.paper) - ORDER.indexOf(b.claim.paper))

/** The text of the notebook of a claim. */
export async function textOf(name: string): Promise<string> {
  const load = TEXTS[`../../experiments/${name}.ts`]
  if (!load) throw new Error(`there is no notebook '${name}'`)
  return load()
}

/** What is shown: claims of a paper, with a part of a verdict, that took at most so many minutes; `all` for any. */
export interface Filter {
  paper: PaperName | 'all'
  verdict: ClaimVerdict | 'all'
  cost: Cost
}

/** Minutes of training, at most. */
export const COSTS = ['all', '1', '6', '40'] as const
export type Cost = (typeof COSTS)[number]

export function filtered(claims: readonly ShownClaim[], { paper, verdict, cost }: Filter): ShownClaim[] {
  return claims.filter(
    ({ claim, results }) =>
      (paper === 'all' || claim.paper === paper) &&
      (verdict === 'all' || claim.parts.some((part) => part.verdict === verdict)) &&
      (cost === 'all' || results.seconds <= Number(cost) * 60),
  )
}

function nameOf(path: string): string {
  return path
    .split('/')
    .slice(-2)
    .join('/')
    .replace(/\.json$/, '')
}
