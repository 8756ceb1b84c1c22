// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import java.util.List;

/** Event bus of a Tidemark, in whose namespaces events are published and claimed. */
public interface EventBusService {

  /** Returns the service of a namespace. Sends no request; a namespace needs no creation. */
  EventService namespace(String name);

  /** Returns statistics of every namespace that stores anything, by name. Reads all of them. */
  List<NamespaceStats> namespaces();
}
