import { messageOf } from '../../../engine/errors.ts'
import { writeIpynb } from '../../../engine/notebook/ipynb/index.ts'
import { printNotebook } from '../../../engine/notebook/print.ts'
import type { MadeAgain, ReportData } from '../../../engine/report/index.ts'
import { analyzeCells, reportOf } from '../../analysis/analysis.ts'
import { saveBytes } from '../../host/saveBytes.ts'
import { host } from '../../host/state.ts'
import { notify } from '../../ui/notices.ts'
import { plainCells } from '../edit.ts'
import { useNotebook } from '../state.ts'

/** Lets the user keep the open notebook, with its results, as one HTML file. */
export async function saveReport(again: MadeAgain): Promise<void> {
  await saveAs('.html', async (name) => reportOf(await gathered(name, again)))
}

/** Lets the user keep the open notebook, with its results, as a Jupyter notebook. */
export async function saveJupyter(again: MadeAgain): Promise<void> {
  await saveAs('.ipynb', async (name) => {
    const { jupyterOutputs } = await import('../../../engine/report/index.ts')
    const { cells } = useNotebook.getState()
    return writeIpynb(plainCells(cells), jupyterOutputs(await gathered(name, again)))
  })
}

/** What the store has of the notebook, and the models of its runs. */
async function gathered(name: string, again: MadeAgain): Promise<ReportData> {
  const { gatherReport } = await import('../../../engine/report/index.ts')
  return gatherReport(host(), name, shownText(), analyzeCells, again)
}

/** The notebook as the page shows it; parsing gives the same cells. */
function shownText(): string {
  const { cells, layout } = useNotebook.getState()
  return printNotebook(plainCells(cells), layout)
}

async function saveAs(ending: string, make: (name: string) => Promise<string>): Promise<void> {
  const { name } = useNotebook.getState()
  if (!name) return
  const file = name.replace(/\.ts$/, ending)
  try {
    await saveBytes(file, new TextEncoder().encode(await make(name)))
  } catch (error) {
    notify({ tone: 'bad', text: `${file} was not saved: ${messageOf(error)}` })
  }
}
