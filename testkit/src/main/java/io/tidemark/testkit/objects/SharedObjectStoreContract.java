// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.process.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of a store that other processes can reach: the races of {@link RaceContract} again,
 * between two processes and the threads of this one.
 */
public abstract class SharedObjectStoreContract extends ObjectStoreContract {

  /** The place of this test as {@link io.tidemark.objects.ObjectStore#open} takes it. */
  protected abstract String location();

  /** System properties that another process needs to open that location. */
  protected Map<String, String> childProperties() {
    return Map.of();
  }

  @Test
  void ofAllProcessesThatReplaceOneVersionOneWins() throws Exception {
    fixture().write("counter", "0");
    int each = scale().races() * 2;
    List<String> replaced = new ArrayList<>();
    List<String> written = new ArrayList<>();
    try (ChildJvm first = child(CounterWorker.class, "counter", "" + each);
        ChildJvm second = child(CounterWorker.class, "counter", "" + each)) {
      start(first, second);
      for (Counter.Step step : new Counter(fixture().store(), "counter").increment(each)) {
        replaced.add(step.from().value());
        written.add(step.to().value());
      }
      for (ChildJvm child : List.of(first, second)) {
        for (String line : child.linesToEnd()) {
          replaced.add(line.split(" ", -1)[0]);
          written.add(line.split(" ", -1)[1]);
        }
      }
    }
    assertThat(written).hasSize(3 * each).doesNotHaveDuplicates();
    assertThat(replaced).hasSize(3 * each).doesNotHaveDuplicates();
    assertThat(Counter.value(fixture().store().get("counter").orElseThrow())).isEqualTo(3L * each);
  }

  @Test
  void ofAllProcessesThatCreateAnObjectOneWins() {
    int objects = scale().races() * 4;
    List<String> byFirst;
    List<String> bySecond;
    try (ChildJvm first = child(CreateWorker.class, "race/", "" + objects, "first");
        ChildJvm second = child(CreateWorker.class, "race/", "" + objects, "second")) {
      start(first, second);
      byFirst = first.linesToEnd();
      bySecond = second.linesToEnd();
    }
    List<String> created = new ArrayList<>(byFirst);
    created.addAll(bySecond);
    assertThat(created)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, objects).mapToObj(i -> "race/" + i).toList());
    byFirst.forEach(key -> assertThat(fixture().text(key)).isEqualTo("first"));
    bySecond.forEach(key -> assertThat(fixture().text(key)).isEqualTo("second"));
  }

  private ChildJvm child(Class<?> main, String... arguments) {
    List<String> all = new ArrayList<>(List.of(location()));
    all.addAll(List.of(arguments));
    return ChildJvm.start(childProperties(), main, all.toArray(String[]::new));
  }

  private static void start(ChildJvm... children) {
    List.of(children).forEach(child -> child.expectLine("ready"));
    List.of(children).forEach(child -> child.send("go"));
  }
}
