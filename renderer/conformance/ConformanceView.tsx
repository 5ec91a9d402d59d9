import { useEffect, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { CaseResult } from '../protocol/kernel.ts'
import { bytesOf, CASES, type ReferenceCase } from '../session/kernel/cases.ts'
import { runningKernel } from '../session/kernel/control.ts'
import { useKernel } from '../session/kernel/state.ts'
import { Dialog, DialogHead } from '../ui/Dialog.tsx'
import { Head } from '../ui/Head.tsx'
import { ScrollBox } from '../ui/ScrollBox.tsx'

/** Reference cases, output, loss and every gradient, on the backend of the kernel; closing it ends it after the case it is at. */
export function ConformanceView() {
  const chosen = useKernel(({ report }) => report?.chosen)
  const busy = useKernel(({ phase }) => phase === 'busy')
  const [results, setResults] = useState<CaseResult[]>([])
  useEffect(() => {
    let open = true
    void (async () => {
      for await (const result of checkAll(CASES)) {
        if (!open) return
        setResults((before) => [...before, result])
      }
    })()
    return () => {
      open = false
    }
  }, [])
  return (
    <Dialog label="Reference cases" className="conformance">
      <DialogHead title="Reference cases" about={chosen && `on ${chosen.name}, ${chosen.device}`} />
      <p data-testid="conformance" data-done={results.length === CASES.length}>
        {busy && results.length === 0 ? 'They wait until no cell runs.' : summaryOf(results)}
      </p>
      <ScrollBox label="Reference cases">
        <table className="data-table cases">
          <thead>
            <tr>
              <Head>case</Head>
              <Head number>checks</Head>
              <Head>closest to its bound</Head>
              <Head number>error</Head>
              <Head number>bound</Head>
              <Head>result</Head>
            </tr>
          </thead>
          <tbody>
            {results.map((result) => (
              <CaseLine key={result.case} result={result} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </Dialog>
  )
}

function CaseLine({ result: { case: name, passed, checks, worst, why } }: { result: CaseResult }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="number">{checks || '–'}</td>
      <td>{worst?.tensor ?? why}</td>
      <td className="number">{worst ? worst.error.toExponential(1) : '–'}</td>
      <td className="number">{worst ? worst.tolerance.toExponential(0) : '–'}</td>
      <td>
        <span className="run-status" data-status={passed ? 'done' : 'failed'}>
          {passed ? 'ok' : 'failed'}
        </span>
      </td>
    </tr>
  )
}

/** How far the comparison is, and what came out. */
function summaryOf(results: readonly CaseResult[]): string {
  const failed = results.filter(({ passed }) => !passed).length
  const counts = `${results.length - failed} passed, ${failed} failed`
  return results.length < CASES.length ? `${counts}, ${CASES.length - results.length} to go` : counts
}

/** Compares cases one after the other in the kernel, on its backend. A case that cannot be compared says why. */
async function* checkAll(cases: readonly ReferenceCase[]): AsyncGenerator<CaseResult> {
  for (const each of cases) {
    try {
      const kernel = await runningKernel()
      yield await kernel.conformance(each.name, await bytesOf(each))
    } catch (error) {
      yield { case: each.name, passed: false, checks: 0, worst: null, why: messageOf(error) }
    }
  }
}
