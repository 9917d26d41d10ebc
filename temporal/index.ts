export { type LoadMachines } from './explaining/machines.ts';
export { createWorkflowService, type WorkflowServiceOptions } from './workflow-service.ts';
