export { dataPage } from './data.ts'
export { gatherReport, type ReportData, type ReportHost } from './gather.ts'
export { jupyterOutputs } from './jupyter.ts'
export { reportHtml } from './page.ts'
