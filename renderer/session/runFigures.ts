import type { OpenFigureHost } from '../../engine/charts/stored/ofCell.ts'
import { messageOf } from '../../engine/errors.ts'
import type { CellOutputView, ValueView } from '../protocol/output.ts'

/** What a cell shows, with the runs that its figures ask for: read by the page, which tells the kernel nothing of them. */
export async function withRuns(output: CellOutputView, host: OpenFigureHost): Promise<CellOutputView> {
  const { displays, value } = output
  if (![...displays, value].some((view) => view?.open)) return output
  const shown = await Promise.all(displays.map((view) => closed(view, host)))
  return { ...output, displays: shown, value: value && (await closed(value, host)) }
}

async function closed(view: ValueView, host: OpenFigureHost): Promise<ValueView> {
  const { open, ...said } = view
  if (!open) return view
  try {
    const { closeFigure } = await import('../../engine/charts/stored/ofCell.ts') // few cells ask for it
    return { ...said, body: await closeFigure(open, host) }
  } catch (error) {
    return { ...said, text: messageOf(error) }
  }
}
