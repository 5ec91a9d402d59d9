import { lazy, Suspense, useEffect } from 'react'
import { ComparePage } from '../compare/ComparePage.tsx'
import { useConnection } from '../host/state.ts'
import { NotebookView } from '../notebook/NotebookView.tsx'
import { RunPage } from '../run/RunPage.tsx'
import { RunsView } from '../runs/RunsView.tsx'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { NoticeView } from '../ui/NoticeView.tsx'
import { type Route, useRoute } from '../ui/route.ts'
import { Dialogs } from './Dialogs.tsx'
import { Sidebar } from './Sidebar.tsx'
import { StatusBar } from './StatusBar.tsx'
import { showRoute } from './showRoute.ts'
import { TopBar } from './TopBar.tsx'

// they hold the texts of all ready notebooks and documents
const StartPage = lazy(async () => ({ default: (await import('../start/StartPage.tsx')).StartPage }))
const PapersPage = lazy(async () => ({ default: (await import('../papers/PapersPage.tsx')).PapersPage }))
const DataPage = lazy(async () => ({ default: (await import('../data/DataPage.tsx')).DataPage }))
const MachinesPage = lazy(async () => ({ default: (await import('../machines/MachinesPage.tsx')).MachinesPage }))
const DocumentsPage = lazy(async () => ({ default: (await import('../documents/DocumentsPage.tsx')).DocumentsPage }))

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
        <ErrorBoundary what="This page" again={route} frame={(message) => <main className="page">{message}</main>}>
          {connected && (
            <Suspense fallback={<main className="page" aria-busy="true" />}>
              <View route={route} />
            </Suspense>
          )}
        </ErrorBoundary>
      </div>
      <StatusBar />
      <NoticeView />
      <Dialogs />
    </div>
  )
}

function View({ route }: { route: Route }) {
  switch (route.view) {
    case 'notebook':
      return <NotebookView />
    case 'runs':
      return <RunsView filter={route.filter} />
    case 'run':
      return <RunPage key={route.reference} reference={route.reference} />
    case 'compare':
      return <ComparePage items={route.items} />
    case 'data':
      return <DataPage of={route.of} task={route.task} />
    case 'machines':
      return <MachinesPage />
    case 'start':
      return <StartPage />
    case 'papers':
      return <PapersPage />
    case 'documents':
      return <DocumentsPage key={route.name ? '' : route.section} name={route.name} section={route.section} />
  }
}

const TEXTS = {
  connecting: null,
  open: null,
  lost: 'Connection lost, reconnecting. Changes are kept on this page until then.',
  refused: 'Mixlab needs its token: open the address that it printed when it started, which ends in #token=...',
  absent: 'The workspace does not answer, trying again.',
}

/** Tells that the workspace cannot be reached, or does not let this page in. */
function ConnectionBanner() {
  const text = TEXTS[useConnection((state) => state.phase)]
  if (!text) return null
  return (
    <div className="banner" role="alert" data-testid="connection">
      {text}
    </div>
  )
}
