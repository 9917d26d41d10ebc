import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { router } from './shell/router.tsx';
import './main.css';

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<RouterProvider router={router} />);
