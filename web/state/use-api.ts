import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from './api.ts';

/** The requests of the signed-in user, for every component of the user's screens. */
export const UserApi = createContext<Api | undefined>(undefined);

export const useApi = (): Api => useContext(UserApi) as Api;
