import { useState } from 'react'
import {
  costText,
  foundText,
  LEFT_OUT,
  PAPERS,
  type PaperName,
  type PartResult,
  planText,
  VERDICTS,
} from '../../engine/claims/index.ts'
import { plural } from '../../engine/study/statistics/index.ts'
import { addNotebook } from '../session/files/files.ts'
import { Button } from '../ui/Button.tsx'
import { Choice } from '../ui/Choice.tsx'
import { Head } from '../ui/Head.tsx'
import { Icon } from '../ui/Icon.tsx'
import { documentHash } from '../ui/route.ts'
import { ScrollBox } from '../ui/ScrollBox.tsx'
import { CLAIMS, COSTS, type Filter, filtered, ORDER, type ShownClaim, textOf } from './claims.ts'

const ALL: Filter = { paper: 'all', verdict: 'all', cost: 'all' }

/** What the papers claim, and what became of it here. */
export function PapersPage() {
  const [filter, setFilter] = useState(ALL)
  const shown = filtered(CLAIMS, filter)
  const papers = ORDER.filter((paper) => CLAIMS.some(({ claim }) => claim.paper === paper))
  return (
    <main className="page papers">
      <h1 className="page-title">What the papers claim</h1>
      <p>
        Claims of the papers, and what became of each at the size of a desktop. <em>Found</em>: a difference is shown as
        the paper says. <em>Found otherwise</em>: one is shown with the other sign, or where the paper has none.{' '}
        <em>Equal</em>: it is shown to be smaller than what matters. <em>Open</em>: nothing is shown. <em>Screening</em>
        : a variant does not pass what a simple model reaches on the same data, and the part counts as none of these.{' '}
        <a href={documentHash('papers')}>What the columns say</a>
      </p>
      <div className="papers-filters">
        <Choice
          label="Paper"
          options={[['all', 'all papers'], ...papers.map((name) => [name, PAPERS[name].title] as const)]}
          value={filter.paper}
          testId="paper-filter"
          onChange={(paper) => setFilter({ ...filter, paper })}
        />
        <Choice
          label="Verdict"
          options={[['all', 'any'], ...VERDICTS]}
          value={filter.verdict}
          testId="verdict-filter"
          onChange={(verdict) => setFilter({ ...filter, verdict })}
        />
        <Choice
          label="Cost"
          options={COSTS.map((most) => [most, most === 'all' ? 'any' : `at most ${most} min`] as const)}
          value={filter.cost}
          testId="cost-filter"
          onChange={(cost) => setFilter({ ...filter, cost })}
        />
        <span className="muted" role="status" data-testid="claims-shown">
          {`${shown.length} of ${plural(CLAIMS.length, 'claim')}`}
        </span>
      </div>
      {papers.map((paper) => (
        <Section key={paper} paper={paper} claims={shown.filter(({ claim }) => claim.paper === paper)} />
      ))}
      <NotTried />
    </main>
  )
}

/** What no notebook tries, and why. */
function NotTried() {
  return (
    <section aria-labelledby="not-tried">
      <h2 id="not-tried">What is not tried</h2>
      <ScrollBox label="What is not tried">
        <table className="facts">
          <thead>
            <tr>
              <Head>the paper</Head>
              <Head>its claim</Head>
              <Head>why not</Head>
            </tr>
          </thead>
          <tbody>
            {LEFT_OUT.map(({ paper, where, claim, why }) => (
              <tr key={claim}>
                <th scope="row">{`${PAPERS[paper].title}, ${where}`}</th>
                <td>{claim}</td>
                <td>{why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  )
}

function Section({ paper, claims }: { paper: PaperName; claims: readonly ShownClaim[] }) {
  if (claims.length === 0) return null
  const { title, authors, url } = PAPERS[paper]
  return (
    <section aria-labelledby={`paper-${paper}`}>
      <h2 id={`paper-${paper}`}>
        <a href={url} target="_blank" rel="noreferrer">
          {title}
        </a>
        , {authors}
      </h2>
      {claims.map((each) => (
        <ClaimView key={each.name} {...each} />
      ))}
    </section>
  )
}

function ClaimView({ name, claim, results }: ShownClaim) {
  const { question, where, parts } = claim
  const base = name.replace('/', '-')
  return (
    <article className="claim" data-claim={name} aria-labelledby={`claim-${base}`}>
      <h3 id={`claim-${base}`}>{question}</h3>
      <ScrollBox label={question}>
        <table className="facts">
          <thead>
            <tr>
              <Head>asked</Head>
              <Head>the paper</Head>
              <Head>here</Head>
              <Head>verdict</Head>
              <Head>plan</Head>
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => (
              <Part key={`${part.study} ${part.of}`} {...part} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <footer>
        <Button aria-label={`New from this: ${name}`} onClick={() => void addNotebook(base, () => textOf(name))}>
          <Icon name="add" /> New from this
        </Button>
        <span className="muted">
          {`${where}; ${costText(results)}; ${results.backend}, numerics ${results.numerics}, Mixlab ${results.version}`}
        </span>
      </footer>
    </article>
  )
}

function Part(part: PartResult) {
  const { study, of, metric, figures, verdict, needs, screening } = part
  return (
    <tr>
      <th scope="row">{`${study}: ${of} (${metric})`}</th>
      <td>{figures}</td>
      <td title={part.sentence}>{foundText(part)}</td>
      <td>
        <strong>{verdict}</strong>
        {(screening ?? needs) && <span className="muted">: {screening ?? needs}</span>}
      </td>
      <td className="muted">{planText(part)}</td>
    </tr>
  )
}
