import { useEffect } from 'react'
import { useConnection } from '../host/state.ts'
import { NotebookView } from '../notebook/NotebookView.tsx'
import { RunsView } from '../runs/RunsView.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { Dialogs } from './Dialogs.tsx'
import { NoticeView } from './NoticeView.tsx'
import { useRoute } from './route.ts'
import { Sidebar } from './Sidebar.tsx'
import { StatusBar } from './StatusBar.tsx'
import { showRoute } from './session.ts'
import { TopBar } from './TopBar.tsx'

/** The whole page. */
export function App() {
  const route = useRoute()
  const connected = useConnection((state) => state.description !== null)
  useEffect(() => {
    if (connected) void showRoute(route)
  }, [connected, route])
  return (
    <div className="app">
      <TopBar view={route.view} />
      <ConnectionBanner />
      <div className="columns">
        <Sidebar route={route} />
        {connected && (route.view === 'runs' ? <RunsView /> : <NotebookView />)}
      </div>
      <StatusBar />
      <NoticeView />
      <Dialogs />
    </div>
  )
}
