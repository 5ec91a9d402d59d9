import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import 'katex/dist/katex.min.css'
import './tokens.css'
import './styles/base.css'
import './styles/bases.css'
import './styles/shell.css'
import './styles/cell.css'
import './styles/tools.css'
import './styles/dialogs.css'
import './styles/export.css'
import './styles/output.css'
import './styles/value.css'
import './styles/chart.css'
import './styles/weights.css'
import './styles/model.css'
import './styles/table.css'
import './styles/runs.css'
import './styles/wall.css'
import './styles/columns.css'
import './styles/compare.css'
import './styles/try.css'
import './styles/study.css'
import './styles/document.css'
import './styles/start.css'
import './styles/print.css'
import { watchTokens } from './host/token.ts'
import { beginEditing } from './session/editors.ts'
import { watchUserFocus } from './session/userFocus.ts'
import { App } from './shell/App.tsx'
import { askBeforeLeaving } from './shell/leaving.ts'
import { watchPlace } from './shell/place.ts'
import { beginSession } from './shell/session.ts'
import { ErrorBoundary } from './ui/ErrorBoundary.tsx'
import { refuseStrayFiles } from './ui/strayFiles.ts'
import { setTheme, useTheme } from './ui/theme.ts'

watchPlace() // before React, which draws another address
watchTokens() // before all who read the address
setTheme(useTheme.getState().theme)

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary what="The page">
        <App />
      </ErrorBoundary>
    </StrictMode>,
  )
}
askBeforeLeaving()
refuseStrayFiles()
beginEditing()
watchUserFocus()
void beginSession()
