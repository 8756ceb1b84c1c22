// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.log;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.MDCAdapter;

/**
 * Log context of a thread. Threads that it starts don't inherit it: those of a pool would keep it
 * forever.
 */
final class LogContext implements MDCAdapter {

  private final ThreadLocal<Map<String, String>> values = ThreadLocal.withInitial(HashMap::new);

  @Override
  public void put(String key, @Nullable String value) {
    values.get().put(key, String.valueOf(value));
  }

  @Override
  public @Nullable String get(String key) {
    return values.get().get(key);
  }

  @Override
  public void remove(String key) {
    values.get().remove(key);
  }

  @Override
  public void clear() {
    values.remove();
  }

  @Override
  public Map<String, String> getCopyOfContextMap() {
    return new HashMap<>(values.get());
  }

  @Override
  public void setContextMap(Map<String, String> context) {
    values.set(new HashMap<>(context));
  }

  @Override
  public void pushByKey(String key, String value) {
    put(key, value);
  }

  @Override
  public @Nullable String popByKey(String key) {
    return values.get().remove(key);
  }

  @Override
  public Deque<String> getCopyOfDequeByKey(String key) {
    Deque<String> all = new ArrayDeque<>();
    @Nullable String value = get(key);
    if (value != null) {
      all.add(value);
    }
    return all;
  }

  @Override
  public void clearDequeByKey(String key) {
    remove(key);
  }
}
