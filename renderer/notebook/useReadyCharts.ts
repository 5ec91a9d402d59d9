import { useEffect } from 'react'
import { plotly } from '../charts/loadPlotly.ts'
import { loadEditors } from '../editor/load.ts'
import { kernelSettled } from '../session/kernel/settled.ts'
import { useNotebook } from '../session/state.ts'
import { whenIdle } from '../ui/whenIdle.ts'

/** Loads what draws curves after the editors, for a notebook that trains: else it would come in the first run, beside its first steps. */
export function useReadyCharts(notebook: string | null): void {
  useEffect(() => {
    if (notebook !== null && trains()) void load().catch(() => undefined) // a chart that is drawn tries again, and says why
  }, [notebook])
}

const trains = () =>
  useNotebook.getState().cells.some(({ kind, source }) => kind === 'code' && /\bcompare\(/.test(source))

async function load(): Promise<void> {
  await kernelSettled()
  await loadEditors()
  await whenIdle()
  await plotly()
}
